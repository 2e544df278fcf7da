import type { Page } from 'playwright-core';
import { signIn } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { lossXml, startXml } from './records.js';

/** More than the first snapshot of the live stream contains. */
const CALLS = 1_100;
const CHANGES = 400;
const AT_ONCE = 20;

describe('the live view of very many calls', () => {
  const ui = consoleUnderTest();
  let page: Page;
  beforeAll(async () => {
    await posted(Array.from({ length: CALLS }, (_, n) => startXml({ callId: `c${n}`, ago: 3_000 - n })));
    ({ page } = await ui.open());
    await signIn(page, ui.system, 'carol', '/console/live');
  });

  async function posted(records: readonly string[]): Promise<void> {
    for (let n = 0; n < records.length; n += AT_ONCE) {
      await Promise.all(records.slice(n, n + AT_ONCE).map((record) => ui.system.post(record)));
    }
  }

  const rows = (): ReturnType<Page['locator']> => page.locator('[data-call-id]');

  it('lists all calls, and renders only visible rows', async () => {
    await page.getByRole('heading', { name: '1,100 calls in progress' }).waitFor();
    await page.locator('[role=table][aria-rowcount="1101"]').waitFor();
    expect(await rows().count()).toBeLessThan(60);
  });

  it('scrolls to the oldest with the keyboard only', async () => {
    await page.locator('[role=rowgroup]').focus();
    await page.keyboard.press('End');
    await page.locator('[data-call-id="c0"]').waitFor();
    expect(await rows().count()).toBeLessThan(60);
    await page.keyboard.press('Home');
    await page.locator(`[data-call-id="c${CALLS - 1}"]`).waitFor();
  });

  it('renders at most ten times a second, and keeps unchanged rows and charts', async () => {
    await page.evaluate(() => {
      const list = document.querySelector('[role=rowgroup]');
      if (list === null) throw new Error('no list');
      const watched = { since: performance.now(), drawings: 0 };
      Reflect.set(window, 'watched', watched);
      new MutationObserver(() => watched.drawings++).observe(list, {
        subtree: true,
        childList: true,
        attributes: true,
      });
    });
    // A row has one time, the links of the marks in the charts have two each.
    await page.evaluate(`{
      const write = Date.prototype.toISOString;
      window.timesWritten = 0;
      Date.prototype.toISOString = function () { window.timesWritten++; return write.call(this); };
    }`);
    const newest = page.locator(`[data-call-id="c${CALLS - 1}"]`);
    await newest.evaluate((row) => row.setAttribute('data-same', 'yes'));
    // All of them move above the others; the newest turns bad before them, and stays the first even if its partition is
    // read sooner.
    const [first = '', ...others] = Array.from({ length: CHANGES }, (_, n) =>
      lossXml({ callId: `c${CALLS - 1 - n}` }, 0.4),
    );
    await posted([first]);
    await newest.getByText('bad', { exact: true }).waitFor();
    await posted(others);
    await page.getByRole('button', { name: `bad ${CHANGES}` }).waitFor({ timeout: 120_000 });
    const drawn = await page.evaluate<number>('watched.drawings / ((performance.now() - watched.since) / 1000)');
    // A rendering may call the observer twice, when the list measures itself.
    expect(drawn).toBeLessThanOrEqual(20);
    // Those of the changed calls: the two charts write 240 each time they are drawn.
    expect(await page.evaluate<number>('timesWritten')).toBeLessThan(2 * CHANGES);
    await newest.and(page.locator('[data-same=yes]')).waitFor();
    expect(await rows().count()).toBeLessThan(60);
  });
});
