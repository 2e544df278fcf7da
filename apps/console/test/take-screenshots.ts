import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openPage, signIn, startBrowser, signedInToken } from './browser.js';
import { eventually } from '@ringdown/testing/eventually';
import { DEMO_SITES, RunningDemo } from './running-demo.js';
import { System } from './system.js';

// `npm run docs:screenshots`: each view with the demo, light and dark.

/** Filled in before the pictures are taken: the story of this morning or of yesterday is in it. */
const HOURS = 26;

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
    height: 1500,
    open: async (page) => {
      await page.goto(`/console/calls/${await badCall(page)}`);
      await page.getByRole('listbox', { name: 'Ladder' }).waitFor();
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

async function isProcessed(page: Page): Promise<boolean> {
  const headers = { authorization: `Bearer ${await signedInToken(page)}` };
  const answer = await page.request.get('/api/services', { headers });
  const { partitions }: { partitions: readonly { waitingMessages: number }[] } = await answer.json();
  return partitions.every(({ waitingMessages }) => waitingMessages === 0);
}

/** The newest bad one on Wi-Fi that is over and was reported during the call. */
async function badCall(page: Page): Promise<string> {
  const headers = { authorization: `Bearer ${await signedInToken(page)}` };
  const query = 'verdict=bad&state=ended&connection=wifi&sort=newest&limit=1';
  const answer = await page.request.get(`/api/calls?${query}`, { headers });
  const { items }: { items: readonly { callId: string }[] } = await answer.json();
  const [call] = items;
  if (call === undefined) throw new Error('the demo has no bad call on Wi-Fi');
  return call.callId;
}

const [folder = 'docs/screenshots', only] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const system = await System.start({ SITES_FILE: DEMO_SITES });
const browser = await startBrowser();
const demo = await RunningDemo.start(system, HOURS);
try {
  for (const [suffix, options] of [
    ['light', { colorScheme: 'light', viewport: WINDOW }],
    ['dark', { colorScheme: 'dark', viewport: WINDOW }],
    ['phone', { colorScheme: 'light', viewport: { width: 360, height: 740 } }],
  ] as const) {
    const { page } = await openPage(browser, system, options);
    await signIn(page, system, 'carol');
    await eventually('all records', () => isProcessed(page));
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
  await demo.stop();
  await system.stop();
}
