import type { Locator, Page } from 'playwright-core';
import { allProcessed, dragOver, fits, hasNoBarriers, isAccessibleOn, signedInToken, signIn, soon } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { trunkCallXml } from './trunk-calls.js';

const CAPACITY = '/console/capacity';
const CALLERS = ['cleo', 'dora', 'erin', 'finn', 'gina', 'hugo', 'ivy'];
const OTHER_OPERATOR = 'oda@example.test';

describe('the capacity view', () => {
  const ui = consoleUnderTest({ SITES_FILE: { Oslo: ['10.1.0.0/16'], Bergen: ['10.2.0.0/16'] } });
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    // The peak of the first trunk is three hours ago, of three calls that began within a minute.
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    const ago = (Date.now() - minute) / 1_000 + 3 * 3_600;
    for (const call of [
      ...['cleo', 'dora', 'erin'].map((from, n) => ({ callId: from, from, ago: ago - n, lasts: 590 })),
      { callId: 'finn', from: 'finn', ago: ago + 5_000, lasts: 300 },
      { callId: 'gina', from: 'gina', ago: ago + 180_000, lasts: 60 },
    ])
      await ui.system.post(...trunkCallXml({ ...call, trunk: 'North-1' }));
    await ui.system.post(
      ...trunkCallXml({ callId: 'hugo', from: 'hugo', trunk: 'south', ip: '10.2.0.1', ago: 7_200, lasts: 60 }),
      ...trunkCallXml({ callId: 'ivy', from: 'ivy', ago: 7_000, lasts: 60, frontEnd: 'fe2.example.test' }),
    );
    ({ page, problems } = await ui.open());
    await signIn(page, ui.system, 'carol', CAPACITY);
    await allProcessed(page);
  });

  const region = (name: string, on = page): Locator => on.getByRole('region', { name, exact: true });
  const rowOf = (name: string, on = page): Locator =>
    on.getByRole('row').filter({ has: on.getByRole('rowheader', { name, exact: true }) });
  const query = (): URLSearchParams => new URL(page.url()).searchParams;

  /** Cells of a row, without the times of its peaks. */
  async function cellsOf(name: string, on = page): Promise<readonly string[]> {
    const cells = await rowOf(name, on).getByRole('cell').allTextContents();
    return cells.slice(1).map((cell) => cell.replace(/[A-Z][a-z]{2} \d+, \d+:\d+.*$/, '').trim());
  }

  /** The callers of the calls that a link finds. */
  async function leadsTo(link: Locator, callers: readonly string[]): Promise<void> {
    await link.click();
    await page.waitForURL('**/console/calls?**');
    const rows = page.getByRole('region', { name: 'Calls found' }).locator('tbody tr');
    await soon(async () => {
      const found = (await rows.allTextContents()).map(
        (row) => CALLERS.find((name) => row.includes(`${name}@`)) ?? row,
      );
      expect(found.toSorted()).toEqual(callers);
    });
    await page.goBack();
  }

  async function setLimit(button: string, calls: string, on = page): Promise<Locator> {
    await on.getByRole('button', { name: button }).click();
    const dialog = on.getByRole('dialog');
    await dialog.getByLabel('Simultaneous calls').fill(calls);
    await dialog.getByRole('button', { name: 'Save' }).click();
    return dialog;
  }

  it('is one click away, and shows the peaks of trunks in the last week with the calls of each', async () => {
    await page.goto('/console/quality');
    await page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Capacity' }).click();
    await page.waitForURL(`**${CAPACITY}`);
    await region('Load by trunk').getByText('3 trunks').waitFor();
    await soon(async () =>
      expect([await cellsOf('north-1'), await cellsOf('not known')]).toEqual([
        ['3', '0', '– Set limit', '–', '–', '5', '0.05', '480\u00A0kbit/s', '0\u00A0bit/s'],
        ['1', '0', '–', '–', '–', '1', '0.017', '160\u00A0kbit/s', '0\u00A0bit/s'],
      ]),
    );
    const north = rowOf('north-1');
    await leadsTo(north.getByRole('link', { name: /^north-1: 3 calls at the peak, / }), ['cleo', 'dora', 'erin']);
    await leadsTo(north.getByRole('link', { name: /^north-1: 480\skbit\/s at the peak/ }), ['cleo', 'dora', 'erin']);
    await leadsTo(north.getByRole('link', { name: /^north-1: 0.05 attempts per second, the average of the minute/ }), [
      'cleo',
      'dora',
      'erin',
    ]);
    await leadsTo(north.getByRole('link', { name: 'north-1', exact: true }), ['cleo', 'dora', 'erin', 'finn', 'gina']);
    await hasNoBarriers(page);
    expect(problems).toEqual([]);
  });

  it('draws a chart of each chosen value, whose numbers and marks lead to the calls that ran then', async () => {
    await page.goto(`${CAPACITY}?last=24h`);
    const chart = region('north-1');
    await chart.getByText('at most 3 calls', { exact: true }).waitFor();
    await region('south').waitFor();
    await chart.locator('a[data-words$="3 calls"]').first().hover();
    await leadsTo(chart.locator('a[data-words$="3 calls"]').first(), ['cleo', 'dora', 'erin']);
    await chart.getByText('Numbers').click();
    await leadsTo(
      region('north-1, numbers')
        .getByRole('link', { name: /^north-1: 3 calls, / })
        .first(),
      ['cleo', 'dora', 'erin'],
    );
    await page.getByRole('checkbox', { name: 'Chart of south' }).click();
    await page.waitForURL(`**${CAPACITY}?last=24h&value=north-1`);
    await region('south').waitFor({ state: 'detached' });
    await page.getByLabel('Charts show').selectOption('bandwidth');
    await chart.getByText(/^at most 480\skbit\/s$/).waitFor();
    await page.getByLabel('Charts show').selectOption('attempts per second');
    await chart.getByText('at most 0.05 attempts per second').waitFor();
    await page.reload();
    await chart.getByText('at most 0.05 attempts per second').waitFor();
    expect(Object.fromEntries(query())).toEqual({ last: '24h', show: 'attempts', value: 'north-1' });
  });

  it('divides by sites, front ends and pools, with every filter of the search, and names what it does not know', async () => {
    await page.goto(`${CAPACITY}?by=site&mood=bad`);
    await page.getByRole('note').getByText('Ignored in the address, unknown or with a wrong value: mood=bad').waitFor();
    await rowOf('Bergen').waitFor();
    await page.getByRole('combobox', { name: 'Load by' }).selectOption('front end');
    await page.waitForURL(`**${CAPACITY}?by=frontEnd`);
    await leadsTo(rowOf('fe2.example.test').getByRole('link', { name: /1 call at the peak/ }), ['ivy']);
    await page.getByRole('combobox', { name: 'Load by' }).selectOption('pool');
    await rowOf('pool1.example.test').waitFor();
    expect(await page.getByRole('columnheader', { name: 'Limit' }).count()).toBe(0);
    await page.getByRole('combobox', { name: 'Load by' }).selectOption('trunk');
    await page.getByRole('textbox', { name: 'Trunk' }).fill('SOUTH');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(`**${CAPACITY}?trunk=SOUTH`);
    await region('Load by trunk').getByText('1 trunk', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Clear' }).click();
    await region('Load by trunk').getByText('3 trunks').waitFor();
  });

  it('gives examples in its fields', async () => {
    await page.goto(CAPACITY);
    for (const [field, example] of [
      ['Trunk', 'nordtel-oslo'],
      ['Pool', 'pool1.example.test'],
    ] as const)
      expect(
        await page
          .getByRole('combobox', { name: field, exact: true })
          .or(page.getByRole('textbox', { name: field, exact: true }))
          .getAttribute('placeholder'),
      ).toBe(example);
  });

  it('zooms into a dragged period', async () => {
    await page.goto(`${CAPACITY}?last=24h`);
    await dragOver(region('north-1'));
    await page.waitForURL(/\/capacity\?from=/);
    expect(Date.parse(query().get('to') ?? '') - Date.parse(query().get('from') ?? '')).toBe(11 * 1_800_000);
  });

  it('has limits that an admin sets and changes with the keyboard alone, with the share used and the time above', async () => {
    await page.goto(`${CAPACITY}?last=24h`);
    const set = page.getByRole('button', { name: 'Set limit: north-1' });
    await set.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Limit of north-1' });
    await dialog.waitFor();
    await hasNoBarriers(page);
    await page.keyboard.press('Tab');
    await page.keyboard.type('4');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await soon(async () =>
      expect((await cellsOf('north-1')).slice(2, 5)).toEqual(['4 Change limit', '75\u00A0%', '0 min']),
    );
    await region('north-1').getByText('at most 3 calls, limit 4').waitFor();
    await page.getByRole('button', { name: 'Change limit: north-1' }).press('Enter');
    await dialog.getByLabel('Simultaneous calls').fill('2');
    await page.keyboard.press('Enter');
    await soon(async () =>
      expect((await cellsOf('north-1')).slice(2, 5)).toEqual([
        '2 Change limit',
        '◆ above the limit 150\u00A0%',
        '10 min',
      ]),
    );
    await region('north-1').getByText('at most 3 calls, limit 2').waitFor();
    expect(problems).toEqual([]);
  });

  it('reports a limit that another admin has changed or removed meanwhile, and overwrites it on request', async () => {
    await page.goto(`${CAPACITY}?last=24h`);
    const { page: other } = await ui.signedIn('carol', `${CAPACITY}?last=24h`);
    await page.getByRole('button', { name: 'Change limit: north-1' }).click();
    await (await setLimit('Change limit: north-1', '7', other)).waitFor({ state: 'detached' });
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Simultaneous calls').fill('8');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('The limit has been set to 7 in the meantime.').waitFor();
    await hasNoBarriers(page);
    await dialog.getByRole('button', { name: 'Overwrite' }).click();
    await dialog.waitFor({ state: 'detached' });
    await soon(async () => expect((await cellsOf('north-1'))[2]).toBe('8 Change limit'));

    await other.reload();
    await page.getByRole('button', { name: 'Change limit: north-1' }).click();
    await other.getByRole('button', { name: 'Change limit: north-1' }).click();
    await other.getByRole('button', { name: 'Remove limit' }).click();
    await other.getByRole('button', { name: 'Remove it' }).click();
    await other.getByRole('button', { name: 'Set limit: north-1' }).waitFor();
    await dialog.getByLabel('Simultaneous calls').fill('9');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('The limit has been removed in the meantime.').waitFor();
    await dialog.getByRole('button', { name: 'Overwrite' }).click();
    await soon(async () => expect((await cellsOf('north-1'))[2]).toBe('9 Change limit'));
    await other.context().close();
    expect(problems).toEqual([]);
  });

  it('sets the limit of a trunk without calls, and shows one that the trunk has before it is replaced', async () => {
    await page.goto(`${CAPACITY}?last=24h`);
    await page.getByRole('button', { name: 'Set a limit for another trunk' }).click();
    const dialog = page.getByRole('dialog', { name: 'Limit of another trunk' });
    await dialog.getByLabel('Trunk').fill('West');
    await dialog.getByLabel('Simultaneous calls').fill('5');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await soon(async () =>
      expect((await cellsOf('west')).slice(0, 5)).toEqual(['0', '0', '5 Change limit', '0\u00A0%', '0 min']),
    );
    await page.getByRole('button', { name: 'Set a limit for another trunk' }).click();
    await dialog.getByLabel('Trunk').fill('WEST');
    await dialog.getByLabel('Simultaneous calls').fill('6');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('The limit has been set to 5 in the meantime.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect((await cellsOf('west'))[2]).toBe('5 Change limit');
  });

  it('shows limits to operators who are no admins, and nothing to change them with', async () => {
    const headers = { authorization: `Bearer ${await signedInToken(page)}` };
    const data = { name: 'Oda', username: OTHER_OPERATOR, roles: ['operator'], withPassword: true };
    const added = await page.request.post('/api/people', { headers, data });
    const { password }: { password: string } = await added.json();
    const { page: other, problems: others } = await ui.open();
    await other.goto(`${CAPACITY}?last=24h`);
    await other.getByLabel('Username').fill(OTHER_OPERATOR);
    await other.getByLabel('Password').fill(password);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await soon(async () => expect((await cellsOf('north-1', other)).slice(2, 4)).toEqual(['9', '33.3\u00A0%']));
    await other.getByText('Administrators set the limits.').waitFor();
    expect(await other.getByRole('button', { name: /limit/i }).count()).toBe(0);
    await hasNoBarriers(other);
    expect(others).toEqual([]);
    await other.context().close();
  });

  it('says what to do when there are no calls, and when the question is too large', async () => {
    await page.goto(`${CAPACITY}?from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z&by=site`);
    await page.getByText('No calls in this period.').waitFor();
    const load = '**/api/statistics/load*';
    const refusal = { status: 400, json: { code: 'too-much', detail: 'The query takes too long.' } };
    await page.route(load, (route) => route.fulfill(refusal));
    await page.goto(`${CAPACITY}?last=30d`);
    const alert = region('Load by trunk').getByRole('alert');
    await alert.getByText('The query takes too long: request a shorter time, or add filters.').waitFor();
    await page.unroute(load);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await rowOf('north-1').waitFor();
    expect(problems).toEqual([]);
  });

  it('is accessible and fits from a phone to a wide screen, in light and dark', async () => {
    await page.goto(`${CAPACITY}?last=24h`);
    await region('north-1').waitFor();
    await isAccessibleOn(
      page,
      [
        ['light', 1_440],
        ['dark', 1_024],
        ['light', 768],
        ['dark', 360],
        ['light', 360],
      ],
      region('south'),
    );
    await page.getByRole('button', { name: 'Change limit: north-1' }).click();
    await page.getByRole('dialog').waitFor();
    await hasNoBarriers(page);
    await fits(page);
    expect(problems).toEqual([]);
  });

  it('leaves out what is not known on a phone, with all values below each other', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${CAPACITY}?last=7d`);
    const unknown = rowOf('not known').getByRole('cell');
    await unknown.first().waitFor();
    expect((await unknown.allTextContents()).filter((text) => text.includes('–'))).toEqual([]);
    const alignments = await rowOf('north-1')
      .getByRole('cell')
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell).textAlign));
    expect(new Set(alignments)).toEqual(new Set(['left']));
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});
