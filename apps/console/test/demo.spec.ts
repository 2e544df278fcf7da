import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { allProcessed, fits, jumps, openPage, signIn, startBrowser } from './browser.js';
import { RunningDemo } from './running-demo.js';
import { System } from './system.js';
import { VIEWS } from './views.js';

/** Screenshots of this run; those of the documents are made by `npm run docs:screenshots`. */
const PICTURES = fileURLToPath(new URL('../screenshots', import.meta.url));
/** Of which all details are sent. */
const PAST_HOURS = 0.75;

describe('the console during the demo', () => {
  let system: System;
  let browser: Browser;
  let demo: RunningDemo;

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    browser = await startBrowser();
    system = await System.start();
    demo = await RunningDemo.start(system, PAST_HOURS);
  });
  afterAll(async () => {
    await demo?.stop();
    await browser?.close();
    await system?.stop();
  });

  it.each(['light', 'dark'] as const)(
    'has something to show in every view, and nothing jumps, %s',
    async (colorScheme) => {
      const { page, problems } = await openPage(browser, system, { colorScheme });
      await signIn(page, system, 'carol');
      // A search shows the state at its request.
      await allProcessed(page);
      const jumped: Record<string, number> = {};
      for (const { name, path, sign } of VIEWS) {
        await page.goto(path);
        await page.locator(sign.css, { hasText: sign.text }).first().waitFor();
        await fits(page);
        jumped[name] = await jumps(page);
        await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}.png`) });
      }
      expect(Object.entries(jumped).filter(([, value]) => value >= 0.1)).toEqual([]);
      expect(problems).toEqual([]);
      await page.context().close();
    },
  );

  it('has nothing to show in progress when the demo has been stopped', async () => {
    expect(await demo.stop()).toEqual([130, null]);
    const { page } = await openPage(browser, system);
    await signIn(page, system, 'carol', '/console/live');
    await page.getByRole('heading', { name: '0 calls in progress' }).waitFor();
    await page.context().close();
  });
});
