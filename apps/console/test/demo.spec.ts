import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { allProcessed, fits, jumps, signIn } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { RunningDemo } from './running-demo.js';
import { VIEWS } from './views.js';

/** Screenshots of this run; those of the documents are made by `npm run docs:screenshots`. */
const PICTURES = fileURLToPath(new URL('../screenshots', import.meta.url));
/** Of which all details are sent. */
const PAST_HOURS = 0.75;

describe('the console during the demo', () => {
  const ui = consoleUnderTest();
  let demo: RunningDemo;

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    demo = await RunningDemo.start(ui.system, PAST_HOURS);
  });
  afterAll(async () => {
    await demo?.stop();
  });

  it.each(['light', 'dark'] as const)(
    'has something to show in every view, and nothing jumps, %s',
    async (colorScheme) => {
      const { page, problems } = await ui.open({ colorScheme });
      await signIn(page, ui.system, 'carol');
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
    const { page } = await ui.open();
    await signIn(page, ui.system, 'carol', '/console/live');
    await page.getByRole('heading', { name: '0 calls in progress' }).waitFor();
    await page.context().close();
  });
});
