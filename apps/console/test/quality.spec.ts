import { eventually } from '@ringdown/testing/eventually';
import type { Locator, Page } from 'playwright-core';
import { allProcessed, dragOver, fits, hasNoBarriers, isAccessibleOn, stopPolling, signIn, soon } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { byeD, inviteD, startD, type DetailedCall } from './detailed-call.js';
import { endXml, errorXml, qualityXml, startXml, type Example } from './records.js';

const QUALITY = '/console/quality';
const OSLO = '10.1.0.10';
const BERGEN = '10.2.0.20';

describe('the quality view', () => {
  const ui = consoleUnderTest({ SITES_FILE: { Oslo: ['10.1.0.0/16'], Bergen: ['10.2.0.0/16'] } });
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    ({ page, problems } = await ui.open());
    await signIn(page, ui.system, 'carol', QUALITY);
  });

  const region = (name: string): Locator => page.getByRole('region', { name, exact: true });
  const query = (): URLSearchParams => new URL(page.url()).searchParams;
  const found = (): Locator => page.getByRole('region', { name: 'Calls found' }).locator('tbody tr');

  /** A call that ended this many seconds ago. */
  async function call(example: Example, loss: number): Promise<void> {
    const ago = example.ago ?? 0;
    const [over, report] = [
      { ...example, ago: ago - 60 },
      { ...example, ago: ago - 62 },
    ];
    await ui.system.post(startXml(example), endXml(over), qualityXml(report, loss));
  }

  async function leadsTo(mark: Locator, ...names: readonly string[]): Promise<void> {
    await mark.click();
    await page.waitForURL('**/console/calls?**');
    await soon(async () => {
      const rows = await found().allTextContents();
      expect(rows.map((row) => names.find((name) => row.includes(name)))).toEqual(names);
    });
  }

  /** Reloads the page until it shows this, because the view polls only once a minute. */
  async function reloadUntilVisible(what: Locator): Promise<void> {
    const isShown = async (): Promise<boolean> => {
      await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
      return (await what.count()) === 1;
    };
    await eventually('news', isShown, 180_000);
  }

  it('explains what to do without calls', async () => {
    await page.getByText('No streams in this period.').waitFor();
    await page.getByText('No bad streams.').nth(3).waitFor();
    await page.getByText('No measurements in this period.').nth(2).waitFor();
    await hasNoBarriers(page);
    expect(problems).toEqual([]);
  });

  it('shows verdicts over time, and the numbers of each bar with links to its calls', async () => {
    const room = { userAgent: 'Room/2 (x; y=1)', ip: OSLO };
    const bad = { from: 'cleo', to: 'dora', frontEnd: 'fe2.example.test', codec: 'PCMU/8000' };
    await call({ callId: 'bad', ago: 18_000, ...bad, ends: [room, { ip: '10.1.9.9' }], jitter: 90 }, 0.4);
    await call({ callId: 'good', ago: 7_200, ends: [{ ip: OSLO }, { ip: BERGEN }] }, 0.001);
    const totals = page.getByRole('list', { name: 'Total streams' });
    await allProcessed(page);
    await page.reload();
    await region('Streams by verdict').getByText('Numbers').click();
    const row = region('Streams by verdict, numbers')
      .getByRole('row')
      .filter({ has: page.getByText('1', { exact: true }) });
    await soon(async () => expect(await row.count()).toBe(2));
    await hasNoBarriers(page);
    await leadsTo(row.getByRole('link', { name: /^1 bad stream,/ }), 'cleo@example.test');
    expect(query().get('verdict')).toBe('bad');
    await page.goBack();
    await leadsTo(totals.getByRole('link', { name: /^1 good stream,/ }), 'anna@example.test');
    await page.goBack();
    await leadsTo(region('Streams by verdict').locator('a[data-words*="1 bad"]'), 'cleo@example.test');
    expect(Date.parse(query().get('to') ?? '') - Date.parse(query().get('from') ?? '')).toBe(1_800_000);
    expect(problems).toEqual([]);
  });

  it('shows loss, jitter and round trip with their percentiles and classes', async () => {
    await page.goto(QUALITY);
    await region('Packet loss').getByText('p95 at most 50 %').waitFor();
    await region('Round trip').getByText('p95 at most 50 ms').waitFor();
    await region('Jitter').getByText('Numbers').click();
    const numbers = region('Jitter, numbers');
    await numbers.getByRole('columnheader', { name: 'p95' }).waitFor();
    const row = numbers.getByRole('row').filter({ hasText: '90 ms' });
    const cells = row.getByRole('cell');
    await soon(async () =>
      expect((await cells.allTextContents()).slice(0, 7)).toEqual(['1', ...Array(6).fill('90\u00A0ms')]),
    );
    await leadsTo(row.getByRole('link'), 'cleo@example.test');
  });

  it.each([
    ['sites', 'Oslo', { site: 'Oslo' }],
    ['devices', 'Room/2 (x; y=1)', { userAgent: 'Room/2 (x; y=1)' }],
    ['codecs', 'PCMU/8000', { codec: 'PCMU/8000' }],
    ['front ends', 'fe2.example.test', { frontEnd: 'fe2.example.test' }],
  ])('lists the worst %s with links to their bad calls', async (many, value, filter) => {
    await page.goto(QUALITY);
    const links = region(`Worst ${many}`).getByRole('link');
    await soon(async () => expect(await links.allTextContents()).toEqual([value]));
    await leadsTo(links, 'cleo@example.test');
    expect(Object.fromEntries(query())).toMatchObject({ verdict: 'bad', ...filter });
    const [[name, shown] = ['', '']] = Object.entries(filter);
    // A field that is always there, or a chip.
    const field = page.locator(`form [name=${name}]`);
    const chip = page.getByRole('button', { name: new RegExp(`^Remove .*: ${RegExp.escape(shown)}$`) });
    const isShown = async (): Promise<boolean> =>
      (await chip.count()) === 1 || ((await field.count()) === 1 && (await field.inputValue()) === shown);
    await soon(async () => expect(await isShown()).toBe(true));
  });

  it('maps bad streams by the chosen dimension, which is in the address with the time', async () => {
    await page.goto(`${QUALITY}?last=7d&by=site`);
    const grid = page.getByRole('grid');
    await soon(async () => {
      expect(await page.getByRole('combobox', { name: 'Time' }).inputValue()).toBe('7d');
      expect(await grid.getByRole('rowheader').allTextContents()).toEqual(['Oslo', 'Bergen']);
    });
    await page.getByLabel('Rows').selectOption('frontEnd');
    await page.waitForURL(`**${QUALITY}?last=7d&by=frontEnd`);
    await grid.getByRole('rowheader', { name: 'fe2.example.test' }).waitFor();
    await page.getByRole('combobox', { name: 'Time' }).selectOption('24h');
    await page.waitForURL(`**${QUALITY}?by=frontEnd`);
    // Seven days have four columns more.
    await grid.getByRole('columnheader').nth(25).waitFor({ state: 'detached' });
    const newest = async (): Promise<number> => (await grid.getByRole('columnheader').last().boundingBox())?.x ?? 0;
    await soon(async () => expect(await newest()).toBeLessThan(1_260));
    await leadsTo(grid.getByRole('link', { name: /^fe2\.example\.test, .*1 bad/ }), 'cleo@example.test');
    expect(Date.parse(query().get('to') ?? '') - Date.parse(query().get('from') ?? '')).toBe(3_600_000);
    await page.goBack();
    await grid.getByRole('rowheader', { name: 'fe2.example.test' }).waitFor();
  });

  it('moves in the map with the arrow keys, and zooms into a column', async () => {
    await page.goto(`${QUALITY}?by=site`);
    const grid = page.getByRole('grid');
    const oslo = grid.getByRole('link', { name: 'Oslo', exact: true });
    await oslo.waitFor();
    const reached = grid.locator('a[tabindex="0"]');
    await soon(async () => expect(await reached.count()).toBe(1));
    await reached.press('ArrowDown');
    await grid.locator(':focus').waitFor();
    await oslo.press('ArrowRight');
    const cell = grid.getByRole('link', { name: /^Oslo, .*1 bad/ });
    await cell.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('ArrowUp');
    await grid.getByRole('columnheader').locator(':focus').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'From' }).waitFor();
    expect(Date.parse(query().get('to') ?? '') - Date.parse(query().get('from') ?? '')).toBe(3_600_000);
    expect(query().get('by')).toBe('site');
    await page
      .getByRole('list', { name: 'Total streams' })
      .getByRole('link', { name: /^1 bad/ })
      .waitFor();
  });

  it('shows which part failed, shows the others, and retries', async () => {
    const metrics = '**/api/statistics/metrics*';
    await page.route(metrics, (route) => route.fulfill({ status: 400, json: { detail: 'Not today.' } }));
    await page.goto(QUALITY);
    await region('Jitter').getByText('Not today.').waitFor();
    await region('Worst codecs').getByRole('link', { name: /^PCMU/ }).waitFor();
    // Otherwise it retries by itself, perhaps earlier.
    await stopPolling(page);
    await hasNoBarriers(page);
    await region('Jitter').getByText('Not today.').waitFor();
    await page.unroute(metrics);
    await region('Jitter').getByRole('button', { name: 'Try again' }).click();
    await region('Jitter').getByText('Numbers').waitFor();
    expect(problems).toEqual([]);
  });

  it('filters by its fields, which are in the address and in the search behind every mark', async () => {
    await page.goto(`${QUALITY}?by=site`);
    const totals = page.getByRole('list', { name: 'Total streams' });
    await totals.getByRole('link', { name: /^1 bad stream,/ }).waitFor();
    await page.locator('body').press('/');
    await soon(async () => expect(await page.evaluate('document.activeElement.name')).toBe('frontEnd'));
    await page.keyboard.type('fe2.example.test');
    await page.getByRole('textbox', { name: 'Codec' }).fill('PCMU/8000');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**${QUALITY}?by=site&frontEnd=fe2.example.test&codec=PCMU%2F8000`);
    await totals.getByRole('link', { name: /^1 good stream,/ }).waitFor({ state: 'detached' });
    // A textbox, or a combobox while there are suggestions.
    const frontEnd = page.locator('form [name=frontEnd]');
    await soon(async () => expect(await frontEnd.inputValue()).toBe('fe2.example.test'));
    const narrowed = { frontEnd: 'fe2.example.test', codec: 'PCMU/8000' };
    for (const mark of [
      totals.getByRole('link', { name: /^1 bad stream,/ }),
      region('Streams by verdict').locator('a[data-words*="1 bad"]'),
      region('Jitter').locator('a[data-words*="90\u00A0ms"]').first(),
      region('Worst devices').getByRole('link', { name: /^Room/ }),
      page.getByRole('grid').getByRole('link', { name: /^Oslo, .*1 bad/ }),
    ]) {
      await leadsTo(mark, 'cleo@example.test');
      expect(Object.fromEntries(query())).toMatchObject(narrowed);
      await page.goBack();
    }
    await page.getByRole('grid').getByRole('columnheader').getByRole('link').last().click();
    await page.getByRole('textbox', { name: 'From' }).waitFor();
    expect(Object.fromEntries(query())).toMatchObject(narrowed);
    await page.goBack();
    await page.getByRole('textbox', { name: 'From' }).waitFor({ state: 'detached' });
    await frontEnd.fill('fe1');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('No streams in this period.').waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.waitForURL(`**${QUALITY}?by=site`);
    await totals.getByRole('link', { name: /^1 good stream,/ }).waitFor();
    expect(problems).toEqual([]);
  });

  /** Drags over a chart. Returns the length of the period that is shown then, and goes back. */
  async function zoomOf(chart: Locator): Promise<number> {
    await dragOver(chart);
    await page.waitForURL(/\/quality\?(.*&)?from=/);
    const length = Date.parse(query().get('to') ?? '') - Date.parse(query().get('from') ?? '');
    await page.goBack();
    await page.waitForURL((url) => !url.searchParams.has('from'));
    return length;
  }

  it('shows the value under the pointer, and zooms into a dragged period', async () => {
    await page.goto(QUALITY);
    const chart = region('Streams by verdict');
    await chart.locator('a[data-words*="1 bad"]').hover();
    await chart.getByText(/1 bad/).last().waitFor();
    // From the beginning of the first to the end of the last of eleven half hours.
    expect(await zoomOf(chart)).toBe(11 * 1_800_000);
    expect(problems).toEqual([]);
  });

  it('zooms into the whole period also when the mouse is released before the last move was drawn', async () => {
    await page.goto(QUALITY);
    await page.locator('a[data-words]').nth(20).waitFor();
    /** Pointer events over these marks of the first chart, all before the page is drawn again. */
    const send = (...events: readonly (readonly [type: string, mark: number])[]): Promise<void> =>
      page.evaluate(`{
        const marks = document.querySelector('a[data-words]').parentElement;
        Element.prototype.setPointerCapture = () => undefined;
        for (const [type, index] of ${JSON.stringify(events)}) {
          const { left, top } = marks.children[index].getBoundingClientRect();
          const at = { clientX: left + 2, clientY: top + 2, pointerId: 1, pointerType: 'mouse', bubbles: true };
          marks.dispatchEvent(new PointerEvent(type, at));
        }
      }`);
    await send(['pointerdown', 10]);
    await send(['pointermove', 12], ['pointermove', 20], ['pointerup', 20]);
    await page.waitForURL(/\/quality\?(.*&)?from=/);
    expect(Date.parse(query().get('to') ?? '') - Date.parse(query().get('from') ?? '')).toBe(11 * 1_800_000);
  });

  it('reports a wrong filter', async () => {
    await page.goto(`${QUALITY}?address=nowhere`);
    await page
      .getByRole('search')
      .getByRole('alert')
      .getByText('Address or subnet: nowhere. address must be')
      .waitFor();
  });

  it('marks old data while the server is not reachable, and updates when it is back', async () => {
    await page.goto(QUALITY);
    const totals = page.getByRole('list', { name: 'Total streams' });
    await totals.getByRole('link', { name: /^1 bad stream,/ }).waitFor();
    const older = page.getByText('Showing older data.');
    await ui.system.pause();
    await reloadUntilVisible(older.first());
    await totals.getByRole('link', { name: /^1 bad stream,/ }).waitFor();
    await ui.system.resume();
    await older.first().waitFor({ state: 'detached', timeout: 120_000 });
    await call({ callId: 'bad-again', ago: 10_800, from: 'erin', to: 'finn' }, 0.4);
    await reloadUntilVisible(totals.getByRole('link', { name: /^2 bad streams/ }));
    expect(problems).toEqual([]);
  }, 420_000);

  it('compares with the period before, which stays in the address, and refreshes on request', async () => {
    await call({ callId: 'yesterday', ago: 18_000 + 86_400, from: 'gina', to: 'hugo' }, 0.001);
    await allProcessed(page);
    await page.goto(QUALITY);
    await page.getByRole('combobox', { name: 'Compare', exact: true }).selectOption('before');
    await page.waitForURL(`**${QUALITY}?compare=before`);
    await region('Streams by verdict').locator('a[data-words*="(before: 1 good"]').waitFor();
    await region('Jitter').locator('a[data-words*="(before: p50 12\u00A0ms"]').first().waitFor();
    await region('Jitter').getByText('the period before').waitFor();
    await region('Streams by verdict').getByText('all streams of the period before').waitFor();
    await region('Answer-seizure ratio').getByText('this period').waitFor();
    await region('Answer-seizure ratio').getByText('the period before').waitFor();
    await hasNoBarriers(page);
    const requested = page.waitForRequest(/statistics\/streams/);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await requested;
  });

  it('shows MOS, ring time and the share of answered calls, and metrics by any dimension', async () => {
    await ui.system.post(errorXml({ callId: 'busy', from: 'ivy', ago: 4_000 }));
    await call(
      {
        callId: 'measured',
        ago: 4_000,
        from: 'jack',
        ends: [{ ip: OSLO, userAgent: 'Desk/1' }, { ip: BERGEN }],
        mos: 3.4,
      },
      0,
    );
    await allProcessed(page);
    await page.goto(`${QUALITY}?by=userAgent&userAgent=Desk/1`);
    await region('Answer-seizure ratio').getByText('100 % of 1 call answered').waitFor();
    await page.goto(`${QUALITY}?by=userAgent&last=1h`);
    await region('Answer-seizure ratio').getByText('No calls were answered or failed in this period.').waitFor();
    await page.goto(`${QUALITY}?by=userAgent`);
    await region('Answer-seizure ratio')
      .getByText(/^\d\d(\.\d)?\s% of \d calls answered$/)
      .waitFor();
    await region('MOS').getByText('average 3.40').waitFor();
    await region('Ring time').getByText('No measurements in this period.').waitFor();
    const row = region('Metrics by device, table').getByRole('row').filter({ hasText: 'Desk/1' });
    await soon(async () =>
      expect((await row.getByRole('cell').allTextContents()).slice(0, 3)).toEqual(['3.40', '0\u00A0%', '12\u00A0ms']),
    );
    await leadsTo(row.getByRole('link'), 'jack@example.test');
  });

  it('shows the ring time, and zooms by dragging in every chart', async () => {
    const rung: DetailedCall = { callId: 'rung', ago: 4_000, from: 'kim' };
    await ui.system.post(inviteD(rung), startD(rung, 7), byeD(rung, 60));
    await allProcessed(page);
    await page.goto(QUALITY);
    await region('Ring time')
      .getByText(/^p95 at most [\d.]+\ss$/)
      .waitFor();
    for (const title of ['Answer-seizure ratio', 'MOS', 'Packet loss', 'Jitter', 'Round trip', 'Ring time'])
      expect(await zoomOf(region(title))).toBeGreaterThan(3_600_000);
  });

  it('shows the first metrics by a dimension with more than 200 values, and how many values are left out', async () => {
    const frontEnd = 'many.example.test';
    const devices = Array.from({ length: 205 }, (_, n) => `Many/${String(n).padStart(3, '0')}`);
    await Promise.all(
      devices.map((userAgent, n) =>
        ui.system.post(
          qualityXml(
            {
              callId: userAgent,
              frontEnd,
              ago: 4_000,
              ends: [{ ip: OSLO, userAgent }, { ip: BERGEN }],
              ...(n === 204 && { mos: 2.9 }),
            },
            0,
          ),
        ),
      ),
    );
    await allProcessed(page);
    await page.goto(`${QUALITY}?by=userAgent&frontEnd=${frontEnd}`);
    const rows = region('Metrics by device, table').locator('tbody tr');
    const cellsOf = async (row: number, cells: string): Promise<readonly string[]> =>
      rows.nth(row).locator(cells).allTextContents();
    // The only one with a MOS is first, and has no loss among the first 200: that is not shown as never measured.
    await soon(async () => expect((await cellsOf(0, 'th, td')).slice(0, 3)).toEqual(['Many/204', '2.90', '…']));
    await soon(async () => expect((await cellsOf(1, 'td')).slice(0, 2)).toEqual(['–', '0\u00A0%']));
    expect(await rows.count()).toBe(20);
    await region('Metrics by device').getByText('186 devices more, with fewer measured streams.').waitFor();
    await fits(page);
  });

  it('is accessible and fits from a phone to a wide screen, in light and dark', async () => {
    await page.goto(`${QUALITY}?by=site`);
    await page.getByRole('grid').waitFor();
    await region('Jitter').getByText('Numbers').waitFor();
    await isAccessibleOn(
      page,
      [
        ['light', 1_600],
        ['dark', 1_600],
        ['dark', 360],
        ['light', 360],
      ],
      region('Worst codecs'),
    );
  });
});
