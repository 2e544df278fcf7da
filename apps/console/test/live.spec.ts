import type { Locator, Page } from 'playwright-core';
import { hasNoBarriers, jumps, signIn, soon, signedInToken, isAccessibleOnAnyScreen } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { endXml, errorXml, lossXml, startXml } from './records.js';

/** More front ends than have room. */
const EDGES: readonly string[] = Array.from({ length: 12 }, (_, n) => `edge-${n}.example.test`);

async function linesOfChips(group: Locator): Promise<number> {
  const tops = await group
    .getByRole('button')
    .evaluateAll((all) => all.map((chip) => chip.getBoundingClientRect().top));
  return new Set(tops).size;
}

describe('the live view', () => {
  const ui = consoleUnderTest({ SITES_FILE: { Oslo: ['10.1.0.0/16'], Bergen: ['10.2.0.0/16'] } });
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    ({ page, problems } = await ui.open());
    await signIn(page, ui.system, 'carol', '/console/live');
  });

  const rowOf = (callId: string): ReturnType<Page['locator']> => page.locator(`[data-call-id="${callId}"]`);

  it('reports that there are no calls', async () => {
    await page.getByText('No calls in progress.').waitFor();
    expect(await page.locator('[data-call-id]').count()).toBe(0);
  });

  it('shows calls as they start and end, bad ones first', async () => {
    await ui.system.post(startXml({ callId: 'one', from: 'anna', to: 'ben', ago: 60 }));
    await rowOf('one').getByText('anna@example.test → ben@example.test').waitFor();
    await ui.system.post(startXml({ callId: 'two', from: 'cleo', to: 'dora', frontEnd: 'fe2.example.test' }));
    await rowOf('two').waitFor();
    await page.locator('[data-call-id]').first().and(rowOf('two')).waitFor();

    await ui.system.post(lossXml({ callId: 'one' }, 0.4));
    await rowOf('one').getByText('bad', { exact: true }).waitFor();
    await rowOf('one').getByText('Packet loss 40 %').waitFor();
    await page.locator('[data-call-id]').first().and(rowOf('one')).waitFor();
    await page.getByRole('heading', { name: '2 calls in progress' }).waitFor();

    await ui.system.post(endXml({ callId: 'two', from: 'cleo', to: 'dora', frontEnd: 'fe2.example.test' }));
    await rowOf('two').getByText('ended').waitFor();
    await page.getByRole('heading', { name: '1 call in progress' }).waitFor();
  });

  it('shows the reason of a failed call', async () => {
    await ui.system.post(errorXml({ callId: 'three' }));
    await rowOf('three').getByText('486 Busy Here').waitFor();
    await rowOf('three').getByText('failed').waitFor();
  });

  it('filters by state, verdict or front end with their counts', async () => {
    await ui.system.post(startXml({ callId: 'four', frontEnd: 'fe4.example.test' }));
    await rowOf('four').waitFor();
    await page.getByRole('button', { name: 'fe4.example.test 1' }).click();
    await rowOf('one').waitFor({ state: 'detached' });
    await rowOf('four').waitFor();
    await page.getByRole('button', { name: /^bad/ }).click();
    await page.getByText('No calls in progress match these filters.').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await rowOf('one').waitFor();
    await page.getByRole('button', { name: 'held 0' }).click();
    await page.getByText('No calls in progress match these filters.').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await rowOf('one').waitFor();
  });

  it('lists bad calls by how bad they are', async () => {
    const added = [
      { callId: 'less', loss: 0.2 },
      { callId: 'worst', loss: 0.8 },
    ];
    await ui.system.post(...added.flatMap(({ callId, loss }) => [startXml({ callId }), lossXml({ callId }, loss)]));
    await soon(async () => {
      const ids = await page
        .locator('[data-call-id]')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-call-id')));
      expect(ids.slice(0, 3)).toEqual(['worst', 'one', 'less']);
    });
    await soon(async () => expect(await page.title()).toBe('(3 bad) 4 calls – Ringdown'));
    await ui.system.post(...added.map(({ callId }) => endXml({ callId })));
  });

  it('names the number of bad calls in the title of the tab', async () => {
    await soon(async () => expect(await page.title()).toBe('(1 bad) 2 calls – Ringdown'));
  });

  it('lists calls that are over apart from running ones, under the number of them', async () => {
    const over = page.getByRole('rowheader', { name: /^Ended recently [1-9]/ });
    await over.waitFor();
    await soon(async () => {
      const ids = await page.locator('[role="row"]:has([role="rowheader"]) ~ [data-call-id]').all();
      const after = await Promise.all(ids.map((row) => row.getAttribute('data-call-id')));
      expect(after).toContain('three');
      expect(after).not.toContain('one');
    });
  });

  it('shows the front ends with most calls as chips in two lines, the others on request, without a scroll box', async () => {
    await ui.system.post(...EDGES.map((frontEnd) => startXml({ callId: `on ${frontEnd}`, frontEnd })));
    // Until all are known, the button after them moves.
    await page.getByRole('heading', { name: `${2 + EDGES.length} calls in progress` }).waitFor();
    const group = page.getByRole('group', { name: 'Front end' });
    await group.getByRole('button', { name: /^\+ \d+ more$/ }).click();
    for (const name of EDGES) await group.getByRole('button', { name: `${name} 1` }).waitFor();
    const isCut = await page.evaluate<boolean>(`(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(
      document.querySelector('[role="group"][aria-label="Front end"]').lastChild)`);
    expect(isCut).toBe(false);
    await group.getByRole('button', { name: 'Show fewer' }).press('Enter');
    const more = group.getByRole('button', { name: /^\+ \d+ more$/ });
    await more.waitFor();
    expect(await linesOfChips(group)).toBe(2);
    expect(await more.evaluate((button) => button.matches(':focus'))).toBe(true);
  });

  it.each([
    [1280, 0.01],
    // The heading has a second line while the page is connecting.
    [360, 0.1],
  ])('keeps everything in its place when other front ends get more calls, at %d pixels', async (width, most) => {
    const { page: other } = await ui.open({ viewport: { width, height: 800 } });
    await signIn(other, ui.system, 'carol', '/console/live');
    await other.locator('[data-call-id]').first().waitFor();
    // Without the shifts of the sign-in page.
    await other.reload();
    const group = other.getByRole('group', { name: 'Front end' });
    const more = group.getByRole('button', { name: /^\+ \d+ more$/ });
    await more.waitFor();
    const chips = (): Promise<readonly string[]> =>
      group.getByRole('button').evaluateAll((all) => all.map(({ textContent }) => textContent.replace(/\d+$/, '')));
    const before = await chips();
    const hidden = EDGES.filter((name) => !before.some((text) => text.includes(name)));
    expect(hidden.length).toBeGreaterThan(1);
    const added = hidden.flatMap((frontEnd) =>
      [1, 2].map((n) => ({ callId: `${width} ${n} on ${frontEnd}`, frontEnd })),
    );
    await ui.system.post(...added.map((call) => startXml(call)));
    await other.getByRole('heading', { name: `${2 + EDGES.length + added.length} calls in progress` }).waitFor();
    expect(await chips()).toEqual(before);
    expect(await linesOfChips(group)).toBe(2);
    expect(await jumps(other)).toBeLessThan(most);
    await other.context().close();
    await ui.system.post(...added.map((call) => endXml(call)));
    await page.getByRole('heading', { name: `${2 + EDGES.length} calls in progress` }).waitFor();
  });

  it('keeps the chips of front ends without calls', async () => {
    await ui.system.post(...EDGES.map((frontEnd) => endXml({ callId: `on ${frontEnd}`, frontEnd })));
    await page.getByRole('heading', { name: '2 calls in progress' }).waitFor();
    expect(await linesOfChips(page.getByRole('group', { name: 'Front end' }))).toBe(2);
  });

  it('keeps filters, order, groups and pause in the address', async () => {
    await page.getByLabel('Sort').selectOption('Longest first');
    await page.getByLabel('Group').selectOption('Front end');
    await page.getByRole('rowheader', { name: 'fe4.example.test 1' }).waitFor();
    await page.getByRole('button', { name: 'active 2' }).click();
    expect(new URL(page.url()).search).toBe('?state=active&sort=oldest&group=frontEnd');
    await page.reload();
    await page.getByRole('rowheader', { name: 'fe4.example.test 1' }).waitFor();
    expect(await page.getByRole('button', { name: 'active 2' }).getAttribute('aria-pressed')).toBe('true');
    expect(await page.getByLabel('Sort').inputValue()).toBe('oldest');
    await hasNoBarriers(page);
    await page.getByLabel('Sort').selectOption('Worst first');
    await page.getByLabel('Group').selectOption('Not grouped');
    await page.getByRole('button', { name: 'active 2' }).click();
    await soon(async () => expect(new URL(page.url()).search).toBe(''));
  });

  it('groups calls by site, those without a site last', async () => {
    const elsewhere = { ip: '192.0.2.1' };
    const bergen = { callId: 'in Bergen', from: 'gus', to: 'hal', ends: [{ ip: '10.2.0.7' }, elsewhere] } as const;
    const nowhere = { callId: 'nowhere', from: 'ida', to: 'jon', ends: [elsewhere, { ip: '192.0.2.2' }] } as const;
    await ui.system.post(startXml(bergen), startXml(nowhere));
    await page.getByLabel('Group').selectOption('Site');
    expect(new URL(page.url()).search).toBe('?group=site');
    const lines = page.locator('[role="rowheader"], [data-call-id]');
    const order = async (): Promise<readonly (string | null)[]> =>
      Promise.all(
        (await lines.all()).map(async (line) => (await line.getAttribute('data-call-id')) ?? line.textContent()),
      );
    await soon(async () => {
      const shown = await order();
      const titles = shown.filter((each) => /^(?:Bergen|Oslo|No site)/.test(each ?? ''));
      expect(titles).toEqual([
        expect.stringMatching(/^Bergen\s*1$/),
        expect.stringMatching(/^Oslo\s*2$/),
        expect.stringMatching(/^No site\s*1$/),
      ]);
      expect(shown[shown.indexOf(titles[0] ?? '') + 1]).toBe('in Bergen');
      expect(shown[shown.indexOf(titles[2] ?? '') + 1]).toBe('nowhere');
    });
    await page.getByLabel('Group').selectOption('Not grouped');
    await ui.system.post(endXml(bergen), endXml(nowhere));
    await page.getByRole('heading', { name: '2 calls in progress' }).waitFor();
  });

  it('shows the calls of the moment when it is opened paused', async () => {
    const other = await ui.open();
    await signIn(other.page, ui.system, 'carol', '/console/live?paused=1');
    await other.page.getByRole('heading', { name: '2 calls in progress' }).waitFor();
    await other.page.locator('[data-call-id="four"]').waitFor();
    await other.page.getByText('paused', { exact: true }).waitFor();
    await other.page.context().close();
  });

  it('shows a dash in place of a number until the server has answered', async () => {
    const other = await ui.open();
    await other.page.route('**/api/calls/stream', (route) => route.abort());
    await signIn(other.page, ui.system, 'carol', '/console/live');
    await other.page.getByRole('heading', { name: '– calls in progress' }).waitFor();
    await other.page.getByText('reconnecting …').waitFor();
    await soon(async () => expect(await other.page.title()).toBe('Live – Ringdown'));
    await other.page.unroute('**/api/calls/stream');
    await other.page.getByRole('heading', { name: '2 calls in progress' }).waitFor();
    await other.page.context().close();
  });

  it('draws concurrent calls and their bandwidth over the last hour', async () => {
    // The charts poll every half minute.
    const patient = { timeout: 120_000 };
    await page.getByRole('img', { name: /^Concurrent calls, last hour, max [1-9]/ }).waitFor(patient);
    const bandwidth = page.getByRole('img', { name: /^Bandwidth, last hour, max / });
    await bandwidth.locator('canvas').waitFor();
  });

  it('zooms both charts to the minutes that are dragged over, and back', async () => {
    const figure = page.getByRole('figure', { name: 'Concurrent calls' });
    const box = await figure.locator('[aria-hidden="true"]').first().boundingBox();
    if (box === null) throw new Error('the chart is not shown');
    const drag = async (share: number): Promise<void> => page.mouse.move(box.x + box.width * share, box.y + 20);
    await drag(0.5);
    await page.mouse.down();
    await drag(0.6);
    await drag(0.9);
    await page.mouse.up();
    for (const title of ['Concurrent calls', 'Bandwidth'])
      await page.getByRole('img', { name: new RegExp(`^${title}, .*\\d.* to .*\\d`) }).waitFor();
    await figure.getByRole('button', { name: 'Last hour' }).click();
    await page.getByRole('img', { name: /^Bandwidth, last hour, max / }).waitFor();
  });

  it('can be paused, and continues with the current calls', async () => {
    await page.getByRole('button', { name: 'Pause' }).click();
    await ui.system.post(startXml({ callId: 'five' }));
    // When another reader has received it, it was sent to this one as well.
    const other = await ui.open();
    await signIn(other.page, ui.system, 'carol', '/console/live');
    await other.page.locator('[data-call-id="five"]').waitFor();
    expect(await rowOf('five').count()).toBe(0);
    await page.getByRole('button', { name: 'Resume' }).click();
    await rowOf('five').waitFor();
    await other.page.context().close();
  });

  it('is accessible in light and dark, and fits a phone', async () => {
    await isAccessibleOnAnyScreen(page, () => rowOf('one').waitFor());
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('reports an unreachable server, and is current when it is back', async () => {
    expect(problems).toEqual([]);
    await ui.system.pause();
    await page.getByText('reconnecting …').waitFor();
    await ui.system.resume();
    await page.getByText('live', { exact: true }).waitFor();
    await ui.system.post(endXml({ callId: 'one' }), startXml({ callId: 'six' }));
    await rowOf('one').getByText('ended').waitFor();
    await rowOf('six').waitFor();
    await page.getByRole('heading', { name: '3 calls in progress' }).waitFor();
  });

  it('ends when the token is revoked', async () => {
    const token = await signedInToken(page);
    await page.context().request.post('/uc/token/revoke', { form: { token } });
    await page.getByText('Your session has expired').waitFor();
    await soon(async () => expect(await page.evaluate('sessionStorage.length')).toBe(0));
  });
});
