import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { anHour } from './an-hour.js';
import { openPage, signIn, startBrowser } from './browser.js';
import { System } from './system.js';

// `npm run docs:screenshots`: each view with an hour of calls, light and dark.

/** One of {@link anHour} that is over and was bad. */
const BAD_CALL = 'call-002@example.test';

interface Shot {
  readonly name: string;
  /** From a page of somebody who is signed in as an operator. */
  readonly open: (page: Page) => Promise<unknown>;
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
      await page.getByRole('columnheader', { name: 'Who' }).waitFor();
    },
  },
];

const [folder = 'docs/screenshots', only, fullPage] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const system = await System.start();
const browser = await startBrowser();
try {
  await system.post(...anHour());
  for (const [suffix, options] of [
    ['light', { colorScheme: 'light' }],
    ['dark', { colorScheme: 'dark' }],
    ['phone', { colorScheme: 'light', viewport: { width: 360, height: 740 } }],
  ] as const) {
    const { page } = await openPage(browser, system, options);
    await signIn(page, system, 'carol');
    for (const { name, open } of shots) {
      if (only !== undefined && only !== '' && only !== name) continue;
      await open(page);
      await page.evaluate('document.fonts.ready');
      await page.screenshot({ path: join(folder, `${name}-${suffix}.png`), fullPage: fullPage === 'whole' });
    }
    await page.context().close();
  }
} finally {
  await browser.close();
  await system.stop();
}
