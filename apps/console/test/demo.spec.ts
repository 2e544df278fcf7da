import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually } from '@ringdown/testing';
import type { Browser, Page } from 'playwright-core';
import { fits, jumps, openPage, signIn, startBrowser } from './browser.js';
import { System } from './system.js';
import { VIEWS, type Sign } from './views.js';

const sender = fileURLToPath(new URL('../../../sender/dist/src/main.js', import.meta.url));
/** Long enough for a view on a busy machine, and short enough for a few retries. */
const LOOK_MS = 10_000;
/** Screenshots of this run; those of the documents are made by `npm run docs:screenshots`. */
const PICTURES = fileURLToPath(new URL('../screenshots', import.meta.url));

/** A search shows the state at its request, which may have been empty. */
async function opens(page: Page, path: string, { css, text }: Sign): Promise<boolean> {
  await page.goto(path);
  const shown = page.locator(css, { hasText: text }).first().waitFor({ timeout: LOOK_MS });
  return shown.then(
    () => true,
    () => false,
  );
}

describe('the console during the demo', () => {
  let system: System;
  let browser: Browser;
  let demo: Promise<unknown>;

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    browser = await startBrowser();
    system = await System.start();
    const args = [sender, 'demo', '--to', system.feed, '--hours', '2', '--duration', '20'];
    demo = once(spawn(process.execPath, args, { stdio: 'ignore' }), 'exit');
  });
  afterAll(async () => {
    await demo;
    await browser?.close();
    await system?.stop();
  });

  it.each(['light', 'dark'] as const)(
    'has something to show in every view, and nothing jumps, %s',
    async (colorScheme) => {
      const { page, problems } = await openPage(browser, system, { colorScheme });
      await signIn(page, system, 'carol');
      const jumped: Record<string, number> = {};
      for (const { name, path, sign } of VIEWS) {
        await eventually(`something in ${name}`, () => opens(page, path, sign));
        await fits(page);
        jumped[name] = await jumps(page);
        await page.screenshot({ path: join(PICTURES, `${name}-${colorScheme}.png`) });
      }
      expect(Object.entries(jumped).filter(([, value]) => value >= 0.1)).toEqual([]);
      expect(problems).toEqual([]);
      await page.context().close();
    },
  );

  it('has processed the whole demo', async () => {
    expect(await demo).toEqual([0, null]);
  });
});
