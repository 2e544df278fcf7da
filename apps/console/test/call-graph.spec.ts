import type { Page } from 'playwright-core';
import { allProcessed, fits, hasNoBarriers, signIn, soon } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { BAD, byeD, GOOD, inCallD, inviteD, qualityD, startD, updateD, type DetailedCall } from './detailed-call.js';
import { qualityXml, startXml } from './records.js';

describe('the reports during a call', () => {
  const over: DetailedCall = { callId: 'over', ago: 600 };
  const running: DetailedCall = { callId: 'running', from: 'cleo', ago: 120 };
  const loss = (rate: number): typeof GOOD => ({ ...GOOD, PacketLossRate: rate });
  const ui = consoleUnderTest();
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    await ui.system.post(
      inviteD(over),
      startD(over, 7),
      inCallD(over, 30, loss(0.01), GOOD),
      inCallD(over, 60, loss(0.13), GOOD),
      updateD(over, 90, true),
      updateD(over, 150, false),
      updateD(over, 170, false),
      inCallD(over, 180, loss(0.05), GOOD),
      byeD(over, 300),
      qualityD(over, 301, BAD, GOOD),
      startD(running, 0),
      inCallD(running, 20, loss(0.01), GOOD),
      startXml({ callId: 'plain' }),
      qualityXml({ callId: 'plain' }, 0.1),
    );
    ({ page, problems } = await ui.open());
    await signIn(page, ui.system, 'carol', '/console/calls/over');
    await allProcessed(page);
    await page.reload();
    await chart('Packet loss').waitFor();
  });

  const chart = (name: string): ReturnType<Page['locator']> =>
    page.getByRole('img', { name: new RegExp(`^${name} during the call`) });

  it('are drawn as MOS, loss, jitter and round trip of both directions', async () => {
    const labels = await page
      .locator('[role=img][aria-label*="during the call"]')
      .evaluateAll((charts) => charts.map((each) => each.getAttribute('aria-label')));
    expect(labels.map((label) => label?.split(' during')[0])).toEqual(['MOS', 'Packet loss', 'Jitter', 'Round trip']);
    expect(labels[1]).toBe(
      'Packet loss during the call: anna@example.test → ben@example.test 1\u00A0% to 13\u00A0%, ' +
        'ben@example.test → anna@example.test 0.04\u00A0% to 0.04\u00A0%',
    );
    expect(problems).toEqual([]);
  });

  it('have holds, re-invites and the end of the call as marks', async () => {
    const marks = page.getByRole('list', { name: 'Marks' }).getByRole('listitem');
    await soon(async () => {
      expect((await marks.allTextContents()).map((text) => text.replace(/ \d.*/, ''))).toEqual([
        'on hold',
        'media changed (re-INVITE)',
        'end of the call',
      ]);
    });
  });

  it('are shown under the pointer, in all charts at once', async () => {
    const readouts = page.locator('section[aria-labelledby=graph] p:has(time)');
    expect(await readouts.nth(1).textContent()).toContain('Packet loss5\u00A0%0.04\u00A0%');
    // The first report is at the left end of the axis.
    await chart('Packet loss').hover({ position: { x: 62, y: 40 } });
    await soon(async () => expect(await readouts.nth(1).textContent()).toContain('Packet loss1\u00A0%0.04\u00A0%'));
    const times = await readouts.locator('time').evaluateAll((all) => all.map((time) => time.getAttribute('datetime')));
    expect(new Set(times).size).toBe(1);
  });

  it('are a table of numbers for the keyboard', async () => {
    await page.getByText('Numbers', { exact: true }).focus();
    await page.keyboard.press('Enter');
    const rows = page.getByRole('region', { name: /^Numbers of anna/ }).locator('tbody tr');
    await soon(async () => expect(await rows.count()).toBe(3));
    expect(await rows.nth(1).getByRole('cell').allTextContents()).toEqual([
      expect.stringMatching(/\d:\d\d:\d\d/),
      '4.12',
      '4.12',
      '13\u00A0%',
      '0.04\u00A0%',
      '6\u00A0ms',
      '6\u00A0ms',
      '48\u00A0ms',
      '48\u00A0ms',
    ]);
  });

  it.each(['light', 'dark'] as const)('are accessible, and fit a phone (%s)', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await fits(page);
      await hasNoBarriers(page);
    }
    expect(problems).toEqual([]);
  });

  it('appear while the call runs, without a reload', async () => {
    await page.goto('/console/calls/running');
    await page.getByRole('row', { name: /^Packet loss/ }).waitFor();
    expect(await chart('Packet loss').count()).toBe(0);
    await ui.system.post(inCallD(running, 60, loss(0.03), GOOD));
    await chart('Packet loss').waitFor();
    await ui.system.post(inCallD(running, 90, loss(0.21), GOOD));
    await soon(async () =>
      expect(await chart('Packet loss').getAttribute('aria-label')).toContain(
        'cleo@example.test → ben@example.test 1\u00A0% to 21\u00A0%',
      ),
    );
    expect(problems).toEqual([]);
  });

  it('are left out of calls with a final report only', async () => {
    await page.goto('/console/calls/plain');
    await page.getByRole('row', { name: /^Packet loss/ }).waitFor();
    expect(await page.getByRole('heading', { name: 'During the call' }).count()).toBe(0);
  });
});
