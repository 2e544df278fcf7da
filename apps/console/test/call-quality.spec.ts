import type { Page } from 'playwright-core';
import { allProcessed, fits, hasNoBarriers, signIn, soon } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { BAD, byeD, GOOD, inviteD, qualityD, startD, type DetailedCall } from './detailed-call.js';
import { lossXml, startXml } from './records.js';

const MARKUP = '<img src=x onerror=alert(1)>'.repeat(30);

describe('the quality of a call', () => {
  const call: DetailedCall = { callId: 'detailed', ago: 600, userAgent: '&lt;b&gt;Phone&lt;/b&gt;' };
  const odd: DetailedCall = { ...call, callId: 'odd' };
  const ui = consoleUnderTest();
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    await ui.system.post(
      inviteD(call),
      startD(call, 7),
      qualityD(call, 300, BAD, { ...GOOD, JitterInterArrival: 17 }),
      byeD(call, 299),
      // What a device calls itself is any text.
      startD(odd, 0),
      qualityD(
        odd,
        300,
        { CaptureDevice: MARKUP.replaceAll('<', '&lt;'), RenderDevice: '\u202Egro.live\u202C', RoundTrip: 30_000 },
        {},
      ),
      startXml({ callId: 'running' }),
      lossXml({ callId: 'running' }, 0.04),
    );
    ({ page, problems } = await ui.open());
    await signIn(page, ui.system, 'carol', '/console/calls/detailed');
    await allProcessed(page);
    await page.reload();
    await page.getByRole('row', { name: /^Packet loss/ }).waitFor();
  });

  /** Rows of the first table: metrics with a threshold; of the second: the others. */
  async function rows(table = 0): Promise<readonly (readonly string[])[]> {
    const found = page.getByRole('region', { name: 'Quality of audio' }).locator('table').nth(table);
    return found.evaluate((element) =>
      [...element.querySelectorAll('tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent)),
    );
  }

  it('has both directions of a medium side by side, MOS first, then the worst', async () => {
    const region = page.getByRole('region', { name: 'Quality of audio' });
    expect(await region.getByRole('columnheader').allTextContents()).toEqual([
      'audio',
      expect.stringMatching(/^anna@example\.test → ben@example\.test bad.*through a relay/),
      expect.stringMatching(/^ben@example\.test → anna@example\.test poor/),
    ]);
    expect(await rows()).toEqual([
      ['MOS, listening', '2.48bad≥ 3.1 acceptable', '4.12good≥ 3.6 optimal'],
      ['Packet loss', '12.1\u00A0%bad≤ 5\u00A0% acceptable', '0.04\u00A0%good≤ 2\u00A0% optimal'],
      ['MOS degradation', '1.62bad≤ 1 acceptable', '0.18good≤ 0.6 optimal'],
      ['Concealed samples', '11\u00A0%bad≤ 7\u00A0% acceptable', '0.4\u00A0%good≤ 3\u00A0% optimal'],
      ['Jitter', '21\u00A0mspoor≤ 15\u00A0ms optimal', '17\u00A0mspoor≤ 15\u00A0ms optimal'],
      ['Round trip', '214\u00A0mspoor≤ 200\u00A0ms optimal', '48\u00A0msgood≤ 200\u00A0ms optimal'],
    ]);
    expect(problems).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('has no breach in the colour of the text (%s)', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    const colours = await page.getByRole('region', { name: 'Quality of audio' }).evaluate((region) => {
      const of = (level: string): readonly string[] =>
        [...region.querySelectorAll(`td[data-level='${level}'] > div > span:first-child`)].map(
          (value) => getComputedStyle(value).color,
        );
      return { bad: of('bad'), poor: of('poor'), good: of('good'), text: getComputedStyle(document.body).color };
    });
    expect([colours.bad.length, colours.poor.length, colours.good.length]).toEqual([4, 3, 5]);
    expect(new Set(colours.good)).toEqual(new Set([colours.text]));
    expect([...colours.bad, ...colours.poor]).not.toContain(colours.text);
    expect(new Set([...colours.bad, ...colours.poor]).size).toBe(2);
    await hasNoBarriers(page);
  });

  it('opens metrics without a threshold with the keyboard', async () => {
    const more = page.getByText('6 metrics without a threshold');
    await more.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: 'Packet loss (max) 42 % 1.1 %' }).waitFor();
    await page.getByRole('row', { name: 'Signal level -22 dB -22 dB' }).waitFor();
    await hasNoBarriers(page);
  });

  it('shows limits of the sender, averages so far, and that a direction was not measured', async () => {
    await page.goto('/console/calls/running');
    await page.getByText('average so far').waitFor();
    await page.getByText('not measured').waitFor();
    expect(await rows()).toContainEqual(['Packet loss', '4\u00A0%poor≤ 2\u00A0% optimal', '–']);
    expect(await rows()).toContainEqual(['Jitter', '12\u00A0msgood≤ 15\u00A0ms optimal', '–']);
  });

  it('shows names of devices as text, of any length and direction', async () => {
    await page.goto('/console/calls/odd');
    await page.getByText('2 metrics without a threshold').click();
    const cells = async (name: string): Promise<readonly string[] | undefined> =>
      (await rows(1)).find(([first]) => first === name);
    await soon(async () => expect(await cells('Microphone')).toEqual(['Microphone', MARKUP, '–']));
    expect(await cells('Loudspeaker')).toEqual(['Loudspeaker', '\uFFFDgro.live\uFFFD', '–']);
    expect(await rows()).toEqual([['Round trip', '30000\u00A0msbad≤ 500\u00A0ms acceptable', '–']]);
    expect(await page.locator('main img').count()).toBe(0);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await fits(page);
      await hasNoBarriers(page);
    }
    expect(problems).toEqual([]);
  });
});
