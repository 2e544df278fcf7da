import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { aDay, SITES } from './a-day.js';
import { anHour } from './an-hour.js';
import { openPage, signIn, startBrowser } from './browser.js';
import { System } from './system.js';

// `npm run docs:screenshots`: each view with an hour of calls, light and dark.

/** One of {@link anHour} that is over and was bad. */
const BAD_CALL = 'call-002@example.test';

const WINDOW = { width: 1280, height: 860 };

interface Shot {
  readonly name: string;
  /** Height of the window, if more than usual is shown. */
  readonly height?: number;
  /** Opens the view in a page of Carol, an operator; `other` opens a page of Alice. */
  readonly open: (page: Page, other: () => Promise<Page>) => Promise<unknown>;
}

const shots: readonly Shot[] = [
  {
    name: 'live',
    open: async (page) => {
      await page.goto('/console/live');
      await page.locator('[data-call-id]').nth(5).waitFor();
    },
  },
  {
    name: 'call',
    open: async (page) => {
      await page.goto(`/console/calls/${encodeURIComponent(BAD_CALL)}`);
      await page.getByRole('list').waitFor();
    },
  },
  {
    name: 'search',
    open: async (page) => {
      await page.goto('/console/calls?last=7d&verdict=bad,poor');
      await page.getByRole('columnheader', { name: 'Parties' }).waitFor();
    },
  },
  {
    name: 'quality',
    height: 1300,
    open: async (page) => {
      await page.goto('/console/quality?by=site');
      await page
        .getByRole('grid')
        .getByRole('link', { name: /Lisbon/ })
        .first()
        .waitFor();
    },
  },
  {
    name: 'feeds',
    open: async (page) => {
      await page.goto('/console/feeds');
      await page.getByRole('row', { name: 'aggregator' }).waitFor();
      await page
        .getByText(/front ends/)
        .first()
        .waitFor();
    },
  },
  {
    name: 'people',
    open: async (page, other) => {
      await page.goto('/console/people?with=sip:alice@example.test');
      await page.getByLabel('Message to Alice Archer').waitFor();
      const alice = await other();
      await alice.getByLabel('Your note').fill('In Lisbon until Friday');
      await alice.getByLabel('Your note').press('Enter');
      await alice.getByLabel('Message to Carol Cooper').fill('The line to Lisbon crackles again. Can you have a look?');
      await alice.getByLabel('Message to Carol Cooper').press('Enter');
      await page.getByRole('button', { name: 'Accept' }).click();
      await page.getByRole('log').getByText('The line to Lisbon').waitFor();
      await page.getByText('Connected').waitFor();
      const answer = 'I see it: six percent of the packets are lost on the way to you. Looking.';
      await page.getByLabel('Message to Alice Archer').fill(answer);
      await page.getByLabel('Message to Alice Archer').press('Enter');
      await page
        .getByRole('log')
        .getByText(/delivered/)
        .waitFor();
      await page.getByText('“In Lisbon until Friday”').waitFor();
      await alice.context().close();
    },
  },
];

const [folder = 'docs/screenshots', only] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const sites = mkdtempSync(join(tmpdir(), 'ringdown-sites-'));
writeFileSync(join(sites, 'sites.json'), JSON.stringify(SITES));
const system = await System.start({ SITES_FILE: join(sites, 'sites.json') });
const browser = await startBrowser();
try {
  await system.post(...aDay(), ...anHour());
  for (const [suffix, options] of [
    ['light', { colorScheme: 'light', viewport: WINDOW }],
    ['dark', { colorScheme: 'dark', viewport: WINDOW }],
    ['phone', { colorScheme: 'light', viewport: { width: 360, height: 740 } }],
  ] as const) {
    const { page } = await openPage(browser, system, options);
    await signIn(page, system, 'carol');
    const other = async (): Promise<Page> => {
      const { page: another } = await openPage(browser, system);
      await signIn(another, system, 'alice', '/console/people?with=sip:carol@example.test');
      return another;
    };
    for (const { name, height, open } of shots) {
      if (only !== undefined && only !== name) continue;
      await page.setViewportSize({ ...options.viewport, height: height ?? options.viewport.height });
      await open(page, other);
      await page.evaluate('document.fonts.ready');
      await page.screenshot({ path: join(folder, `${name}-${suffix}.png`) });
    }
    await page.context().close();
  }
} finally {
  await browser.close();
  await system.stop();
  rmSync(sites, { recursive: true });
}
