import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { fits, jumps, openPage, signIn, startBrowser } from './browser.js';
import { System } from './system.js';
import { VIEWS } from './views.js';

const sender = fileURLToPath(new URL('../../../sender/dist/src/main.js', import.meta.url));
/** What each view looked like in this run; those of the documents are made by `npm run docs:screenshots`. */
const PICTURES = fileURLToPath(new URL('../screenshots', import.meta.url));

describe('the console while the demo comes in', () => {
  let system: System;
  let browser: Browser;
  let demo: Promise<unknown>;

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    [system, browser] = await Promise.all([System.start(), startBrowser()]);
    const args = [sender, 'demo', '--to', system.feed, '--duration', '20'];
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

  it('has taken all of it', async () => {
    expect(await demo).toEqual([0, null]);
  });
});
