import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { allProcessed, hasNoBarriers, signIn, soon, signedInToken, isAccessibleOnAnyScreen } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { inviteD, startD, type DetailedCall } from './detailed-call.js';
import { endXml, errorXml, qualityXml, startXml } from './records.js';

const FILLING = 60;
const NUMBERED = [{ ip: '192.0.2.1', userAgent: 'Blossom/7.1' }, { ip: '192.0.2.2' }] as const;
const RUNG: DetailedCall = { callId: 'rung', from: 'nora', ago: 289_000 };
const OF_ANNA = '/console/calls?user=anna%40example.test';

describe('the search view', () => {
  const ui = consoleUnderTest({ SITES_FILE: { 'Oslo, floor 3': ['10.1.0.0/16'] } });
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    const bad = { callId: 'bad', from: 'cleo', to: 'dora', frontEnd: 'fe2.example.test' };
    await ui.system.post(
      ...Array.from({ length: FILLING }, (_, n) => startXml({ callId: `filling-${n}`, ago: 5_000 - n })),
      startXml({ ...bad, ago: 900 }),
      endXml({ ...bad, ago: 300 }),
      qualityXml({ ...bad, ago: 295 }, 0.4),
      errorXml({ callId: 'busy', from: 'eve', ago: 200 }),
      startXml({ callId: 'old', from: 'old', ago: 300_000 }),
      inviteD(RUNG),
      startD(RUNG, 7),
      startXml({ callId: 'numbered', from: 'nora', to: '+4930123456', ends: NUMBERED, ago: 290_000 }),
    );
    ({ page, problems } = await ui.open());
    await signIn(page, ui.system, 'carol', '/console/calls?last=all&user=old%40example.test');
    await allProcessed(page);
    // The view does not poll.
    await page.reload();
  });

  const rows = (): Locator => page.getByRole('region', { name: 'Calls found' }).locator('tbody tr');

  const shows = (field: Locator, value: string): Promise<void> =>
    soon(async () => expect(await field.inputValue()).toBe(value));

  it('finds the calls of its address, and shows the filter in its fields', async () => {
    await rows().getByText('old@example.test').waitFor();
    await shows(page.getByLabel('User', { exact: true }), 'old@example.test');
    await shows(page.locator('label', { hasText: /^Time/ }).locator('select'), 'all');
    expect(problems).toEqual([]);
  });

  it('filters by verdicts, states and texts, and keeps all of them in the address', async () => {
    await page.goto('/console/calls');
    await page.getByRole('button', { name: 'bad' }).click();
    const bad = page.getByRole('link', { name: 'cleo@example.test → dora@example.test' });
    await bad.waitFor();
    await soon(async () => expect(await rows().count()).toBe(1));
    await rows().getByText('Packet loss 40 %').waitFor();
    await page.getByLabel('Front end').fill('fe9');
    await page.keyboard.press('Enter');
    await page.getByText('No calls match.').waitFor();
    expect(new URL(page.url()).search).toBe('?verdict=bad&frontEnd=fe9');
    await page.goBack();
    await bad.waitFor();
    await shows(page.getByLabel('Front end'), '');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.waitForURL('**/console/calls');
  });

  it('finds calls by subnet and by the status of an error', async () => {
    await page.goto('/console/calls');
    await page.getByLabel('SIP status').fill('486');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByText('486 Busy Here').waitFor();
    await page.goto('/console/calls?address=10.9.0.0/16');
    await page.getByText('No calls match.').waitFor();
    await page.goto('/console/calls?address=10.1.0.0/16');
    await rows().nth(1).waitFor();
    await shows(page.getByLabel('Address or subnet'), '10.1.0.0/16');
  });

  it('reports a wrong filter', async () => {
    await page.goto('/console/calls?address=nowhere');
    await page
      .getByRole('alert')
      .getByText(/address/)
      .waitFor();
    // The error is shown instead of calls.
    expect(await rows().count()).toBe(0);
  });

  it('reports unknown parameters of an address', async () => {
    await page.goto('/console/calls?verdict=awful&usr=anna');
    await page.getByText('Ignored in the address, unknown or with a wrong value: verdict=awful, usr=anna').waitFor();
    await rows().first().waitFor();
    await page.goto('/console/calls?verdict=bad');
    await page.getByRole('link', { name: 'cleo@example.test → dora@example.test' }).waitFor();
    expect(await page.getByText('Ignored in the address').count()).toBe(0);
  });

  it('moves between pages', async () => {
    await page.goto(OF_ANNA);
    await page.getByText('60 calls · 50 calls on this page').waitFor();
    // Without its query, which has the time of the request.
    const linkOf = async (): Promise<string | undefined> =>
      (await rows().nth(0).getByRole('link').getAttribute('href'))?.split('?')[0];
    const first = await linkOf();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('10 calls on this page, the last').waitFor();
    await page.getByRole('button', { name: 'Next' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByText('50 calls on this page').waitFor();
    await soon(async () => expect(await linkOf()).toBe(first));
  });

  it('shows the chosen columns, even after a reload', async () => {
    await page.goto(OF_ANNA);
    await rows().first().waitFor();
    const hidden = await page
      .getByRole('region', { name: 'Calls found' })
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(hidden).toBe(0);
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Call-ID' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Call-ID' }).waitFor();
    // Of the usual columns none is out of sight; with one more the parties stay in sight.
    const list = page.getByRole('region', { name: 'Calls found' });
    await list.evaluate((element) => element.scrollTo({ left: element.scrollWidth }));
    const leftOf = async (place: Locator): Promise<number> => (await place.boundingBox())?.x ?? -Infinity;
    await soon(async () => {
      const left = await leftOf(list);
      const parties = await leftOf(list.getByRole('link').first());
      expect([parties >= left, parties < left + 300]).toEqual([true, true]);
    });
    await page.reload();
    await page.getByRole('columnheader', { name: 'Call-ID' }).waitFor();
    await rows().nth(0).getByText('filling-59').waitFor();
  });

  it('exports all matching calls, not only the page', async () => {
    await page.goto(OF_ANNA);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(download.suggestedFilename()).toMatch(/^calls-.*\.csv$/);
    expect(lines).toHaveLength(1 + FILLING);
    expect(lines[0]).toMatch(/^callId,/);
  });

  it('can be used with the keyboard only', async () => {
    await page.goto('/console/calls');
    await rows().first().waitFor();
    await page.locator('body').press('/');
    await soon(async () => expect(await page.evaluate('document.activeElement.name')).toBe('q'));
    await page.keyboard.type('cleo');
    await page.getByRole('option', { name: 'User: cleo@example.test' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/calls?q=cleo');
    await soon(async () => expect(await rows().count()).toBe(1));
    const link = page.getByRole('link', { name: 'cleo@example.test → dora@example.test' });
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'cleo@example.test → dora@example.test', level: 1 }).waitFor();
    await page.goBack();
    await link.waitFor();
  });

  it('suggests values as filters, and searches any words', async () => {
    await page.goto('/console/calls?last=7d');
    const asked: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/suggest') asked.push(searchParams.get('q') ?? '');
    });
    const box = page.getByRole('combobox', { name: 'Search calls' });
    await box.fill('cle');
    await page.getByRole('option', { name: 'User: cleo@example.test' }).waitFor();
    await box.press('ArrowDown');
    await box.press('Enter');
    await page.waitForURL('**/console/calls?last=7d&user=cleo%40example.test');
    await soon(async () => expect(await rows().count()).toBe(1));
    await box.fill('10.1.2.3');
    await page.getByRole('option', { name: 'Address or subnet: 10.1.2.3' }).click();
    await page.waitForURL('**/console/calls?last=7d&user=cleo%40example.test&address=10.1.2.3');
    for (const [typed, suggested] of [
      ['301234', 'User: +4930123456@example.test'],
      ['loss', 'Device: Blossom/7.1'],
      ['siren', 'Codec: SIREN/16000'],
      ['floor', 'Site: Oslo, floor 3'],
      ['echo', 'Cause: Echo suppression (one side muted)'],
    ] as const) {
      await box.fill(typed);
      await page.getByRole('option', { name: suggested }).waitFor();
    }
    await page.getByLabel('Front end').first().fill('fe2');
    await page.locator('datalist option', { hasText: 'fe2.example.test' }).first().waitFor({ state: 'attached' });
    expect(new Set(asked).size).toBe(asked.length);
    expect(asked.length).toBeGreaterThan(4);
    await page.goto('/console/calls');
    await box.fill('illing-1');
    await box.press('Enter');
    // filling-1 and filling-10 to filling-19
    await soon(async () => expect(await rows().count()).toBe(11));
  });

  it('offers a filter for every parameter of the list of calls in the description of the API', async () => {
    const openapi = readFileSync(new URL('../../../../docs/openapi.yaml', import.meta.url), 'utf8');
    const [, list = ''] = /\n {2}\/api\/calls:\n([^]*?)\n {2}\/api\/calls\.csv:/.exec(openapi) ?? [];
    const references = [...list.matchAll(/components\/parameters\/(\w+)/g)].map(([, name = '']) => name);
    const names = references.map(
      (reference) => new RegExp(`\\n {4}${reference}:\\n {6}name: (\\S+)`).exec(openapi)?.[1] ?? reference,
    );
    // Fields of their own, or of the list and not of calls.
    const others = ['q', 'state', 'verdict', 'from', 'to', 'last', 'sort', 'Limit', 'cursor', 'identities'];
    const expected = names.filter((name) => !others.includes(name));
    expect(expected.length).toBeGreaterThan(60);
    await page.goto('/console/calls');
    await page.getByRole('button', { name: 'More filters' }).click();
    const field = page.getByRole('group', { name: 'Add a filter' }).getByLabel('Field');
    const condition = page.getByRole('group', { name: 'Add a filter' }).getByLabel('Condition');
    const offered: (string | null)[] = [];
    for (const option of await field.locator('option').all()) {
      await field.selectOption(await option.getAttribute('value'));
      const all = await condition.locator('option').all();
      offered.push(...(await Promise.all(all.map((each) => each.getAttribute('data-parameter')))));
    }
    expect(new Set(offered)).toEqual(new Set(expected));
    expect(offered).toHaveLength(expected.length);
  });

  it('filters by any field, and shows each filter as a chip', async () => {
    await page.goto('/console/calls');
    await page.getByRole('button', { name: 'More filters' }).click();
    const adder = page.getByRole('group', { name: 'Add a filter' });
    await adder.getByLabel('Field').selectOption('Packet loss');
    await adder.getByLabel('Value in %').fill('much');
    await adder.getByRole('button', { name: 'Add' }).click();
    await adder.getByText('Enter a number.').waitFor();
    await adder.getByLabel('Value in %').fill('25');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/console/calls?minLoss=0.25');
    await soon(async () => expect(await rows().count()).toBe(1));
    await adder.getByLabel('Field').selectOption('not.state');
    await adder.getByLabel('Value').selectOption('ended');
    await adder.getByRole('button', { name: 'Add' }).click();
    await page.getByText('No calls match.').waitFor();
    await page.getByRole('link', { name: 'Without State is not ended: 1 call' }).waitFor();
    await page.getByRole('button', { name: 'Remove State is not ended' }).click();
    await soon(async () => expect(await rows().count()).toBe(1));
    expect(new URL(page.url()).search).toBe('?minLoss=0.25');
  });

  it('offers wider searches that find something when nothing is found', async () => {
    await page.goto('/console/calls?last=24h&user=old%40example.test&state=active');
    await page.getByText('No calls match.').waitFor();
    await page.getByRole('link', { name: 'All time: 1 call' }).click();
    await rows().getByText('old@example.test').waitFor();
    expect(new URL(page.url()).searchParams.get('last')).toBe('all');
  });

  it('does not say of a filter that nothing matches before that is known', async () => {
    await page.goto('/console/calls?last=24h&user=nobody%40example.test');
    await page.getByText('No calls match.').waitFor();
    const release = Promise.withResolvers<void>();
    await page.route(/\/api\/calls\?/, async (route) => {
      await release.promise;
      await route.continue();
    });
    await page.getByLabel('User', { exact: true }).fill('old@example.test');
    await page.keyboard.press('Enter');
    await page.getByText('No calls match.').waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Results' }).getByText('Loading').waitFor();
    release.resolve();
    await page.getByText('No calls match.').waitFor();
    await page.unroute(/\/api\/calls\?/);
  });

  it('applies a time with Enter, and leaves one that was not changed as it is', async () => {
    const from = '2026-03-02T10:00:00.123Z';
    await page.goto(`/console/calls?from=${from}`);
    const field = page.getByLabel('From', { exact: true });
    await field.focus();
    await page.getByLabel('To', { exact: true }).focus();
    await page.getByLabel('User', { exact: true }).focus();
    expect(new URL(page.url()).searchParams.get('from')).toBe(from);
    const later = (await field.inputValue()).replace('2026', '2027');
    await field.fill(later);
    await page.keyboard.press('Enter');
    await soon(async () => expect(new URL(page.url()).searchParams.get('from')).toMatch(/^2027-03-0/));
    expect(await field.evaluate((element) => element.matches(':focus'))).toBe(true);
  });

  it('shows the worst values, ring time, device and codec of each call as columns, and sorts by them', async () => {
    await page.goto('/console/calls?verdict=bad');
    await page.getByRole('button', { name: 'Columns' }).click();
    for (const name of ['MOS', 'Packet loss', 'Ring time', 'Codecs', 'Devices'])
      await page.getByRole('menuitemcheckbox', { name, exact: true }).click();
    await page.keyboard.press('Escape');
    await rows().getByRole('cell', { name: '40 %', exact: true }).waitFor();
    await page.getByLabel('Sort by').selectOption('-loss');
    await page.waitForURL('**/console/calls?verdict=bad&sort=-loss');
    await rows().getByRole('cell', { name: '40 %', exact: true }).waitFor();
    await page.goto('/console/calls?last=7d&user=nora%40example.test');
    await rows().getByRole('cell', { name: '6.4 s', exact: true }).waitFor();
  });

  it('shows the value that calls are sorted by in a column of its own', async () => {
    await page.evaluate("localStorage.removeItem('ringdown.columns')");
    await page.goto('/console/calls?last=7d&sort=-roundTrip');
    await page.locator('th[aria-sort="descending"]').getByText('Round trip').waitFor();
    await rows().getByRole('cell', { name: '48 ms', exact: true }).waitFor();
    await page.getByLabel('Sort by').selectOption('newest');
    await page.locator('th[aria-sort]').waitFor({ state: 'detached' });
  });

  it('shows how long a running call has lasted, and all usual columns at 1024 pixels without the shared domain', async () => {
    await page.evaluate("localStorage.removeItem('ringdown.columns')");
    await page.setViewportSize({ width: 1024, height: 768 });
    await page.goto('/console/calls?last=7d&frontEnd=fe1.example.test&state=active&user=anna%40example.test');
    await rows()
      .first()
      .getByRole('cell', { name: /^1:2\d:\d\d$/ })
      .waitFor();
    const link = rows().first().getByRole('link', { name: 'anna → ben', exact: true });
    await link.getByTitle('anna@example.test → ben@example.test').waitFor();
    await page.goto('/console/calls?last=7d&verdict=bad');
    await rows().getByText('Packet loss 40 %').waitFor();
    const list = page.getByRole('region', { name: 'Calls found' });
    expect(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('link', { name: 'cleo@example.test → dora@example.test' }).waitFor();
  });

  it('shows a preview of a call under the pointer', async () => {
    await page.goto('/console/calls?verdict=bad');
    // A pointer that comes from somewhere, as that of a user.
    await page.mouse.move(5, 5);
    await page.getByRole('link', { name: 'cleo@example.test → dora@example.test' }).hover();
    await page.getByRole('tooltip').getByText('Packet loss 40 %').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tooltip').waitFor({ state: 'detached' });
  });

  it('opens a call by a click anywhere in its row, with Ctrl in a tab that is signed in', async () => {
    await page.goto('/console/calls?verdict=bad');
    const cell = rows().getByText('Packet loss 40 %');
    const [tab] = await Promise.all([
      page.context().waitForEvent('page'),
      cell.click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await tab.getByRole('heading', { name: 'cleo@example.test → dora@example.test', level: 1 }).waitFor();
    expect(await tab.evaluate('localStorage.getItem("ringdown.session")')).toBeNull();
    await tab.close();
    await cell.click();
    await page.getByRole('heading', { name: 'cleo@example.test → dora@example.test', level: 1 }).waitFor();
  });

  it('saves a search, shares it, opens it again, and deletes it', async () => {
    await page.goto('/console/calls?verdict=bad&maxMos=5&not.state=failed');
    await page.getByRole('button', { name: 'Saved searches' }).click();
    await page.getByText('No saved searches yet.').waitFor();
    await page.getByLabel('Save this search as').fill('Bad ones');
    // Once, however often it is pressed.
    await page.getByRole('button', { name: 'Save', exact: true }).dblclick({ delay: 50 });
    const saved = page.getByRole('listitem').filter({ hasText: 'Bad ones' });
    await saved.getByText('private').waitFor();
    await saved.getByRole('button', { name: 'Share with all: Bad ones' }).click();
    await saved.getByText('shared', { exact: true }).waitFor();
    expect(await saved.getByRole('button').allTextContents()).toEqual(['Make private', 'Delete']);
    await hasNoBarriers(page);
    const headers = { authorization: `Bearer ${await signedInToken(page)}`, 'if-match': '*' };
    const bob = { username: 'bob@example.test', name: 'Bob Baker', roles: ['operator'] };
    const answer = await page.request.put('/api/people/bob@example.test', { headers, data: bob });
    expect(answer.status()).toBe(200);
    const other = await ui.open();
    await signIn(other.page, ui.system, 'bob', '/console/calls');
    await other.page.getByRole('button', { name: 'Saved searches' }).click();
    await other.page.getByText('shared by').waitFor();
    await other.page.getByRole('link', { name: 'Bad ones' }).click();
    await other.page.waitForURL('**/console/calls?verdict=bad&maxMos=5&not.state=failed');
    await other.page.context().close();
    await page.getByRole('button', { name: 'Delete: Bad ones' }).click();
    await page.getByRole('button', { name: 'Delete it: Bad ones' }).click();
    await page.getByText('No saved searches yet.').waitFor();
    await page.keyboard.press('Escape');
  });

  it('is accessible in light and dark, and fits a phone', async () => {
    await page.goto(`${OF_ANNA}&not.codec=opus`);
    await page.getByRole('button', { name: 'More filters' }).click();
    await rows().first().waitFor();
    await isAccessibleOnAnyScreen(page);
  });
});
