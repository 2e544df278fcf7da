import type { Page } from 'playwright-core';
import { allProcessed, fits, signIn, soon } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { errorXml, lossXml, startXml } from './records.js';

const LONG = 'x'.repeat(300);
const STREAMS = 15;
/** When the time is written longest: with two digits for the hour, in a day of twice twelve. */
const LATE_YESTERDAY = new Date(new Date().setHours(-2, 48, 48));

/** Unusual calls that some sender may report. */
describe('unusual calls', () => {
  const ui = consoleUnderTest();
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    const long = { callId: 'long', from: LONG };
    const many = { callId: 'many' };
    const media = Array.from({ length: STREAMS }, (_, index) => `Type="x-m${index}"`);
    await ui.system.post(
      startXml(long),
      lossXml(long, 0.4),
      startXml({ callId: 'yesterday', from: 'early', ago: (Date.now() - LATE_YESTERDAY.getTime()) / 1000 }),
      startXml({ callId: 'minute', from: 'minute', ago: 70 }),
      startXml({ callId: 'backwards', from: 'o\u202Eevil' }),
      errorXml({ callId: 'script', from: '&lt;img src=x onerror=alert(1)&gt;' }),
      ...media.flatMap((type) =>
        [startXml(many), lossXml(many, 0.4)].map((xml) => xml.replaceAll('Type="audio"', type)),
      ),
    );
    ({ page, problems } = await ui.open());
    await signIn(page, ui.system, 'carol');
    await allProcessed(page);
  });

  it('with many streams scroll inside of the page', async () => {
    await page.goto('/console/calls/many');
    await page.getByRole('row', { name: /x-m14/ }).first().waitFor();
    await fits(page);
    await page.goto('/console/quality?last=24h');
    await page.getByRole('heading', { name: 'Round trip' }).waitFor();
    await page.getByRole('list', { name: 'Total streams' }).getByRole('link').first().waitFor();
    await fits(page);
  });

  it('with long names keep their verdict visible in search results', async () => {
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto('/console/calls?last=7d');
      const verdict = page.getByRole('row', { name: LONG }).getByText('bad', { exact: true });
      await soon(async () => {
        const box = await verdict.boundingBox();
        expect((box?.x ?? Infinity) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
      });
    }
  });

  it('of another day show their begin without truncation', async () => {
    await page.goto('/console/live');
    const cells = page.locator('[data-call-id=yesterday]').getByRole('cell');
    for (const index of [6, 7]) {
      const cell = cells.nth(index);
      await soon(async () =>
        expect(await cell.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0),
      );
    }
  });

  it.each([1, -1])('have the right duration if the clock of the browser is off by %d h', async (hours) => {
    const other = await ui.open();
    await other.page.clock.install({ time: Date.now() + hours * 3_600_000 });
    await signIn(other.page, ui.system, 'carol');
    const lasts = other.page.locator('[data-call-id=minute]').getByRole('cell').nth(7);
    await lasts.filter({ hasText: /^[1-9]\d?:\d\d$/ }).waitFor();
    await other.page.goto('/console/calls?last=1h');
    await other.page.getByRole('link', { name: 'minute@example.test' }).waitFor();
    expect(other.problems).toEqual([]);
    await other.page.context().close();
  });

  it('cannot imitate other users, nor run scripts', async () => {
    await page.goto('/console/calls/backwards');
    await page.getByRole('heading', { name: 'o\uFFFDevil@example.test → ben@example.test', level: 1 }).waitFor();
    await page.goto('/console/calls/script');
    await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>@example.test', level: 1 }).waitFor();
    expect(problems).toEqual([]);
  });
});
