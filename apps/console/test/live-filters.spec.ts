import type { Page } from 'playwright-core';
import { hasNoBarriers, isAccessibleOnAnyScreen, signIn, soon } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { startXml } from './records.js';

const LIVE = '/console/live';

describe('filters of the live view', () => {
  const ui = consoleUnderTest({ SITES_FILE: { Oslo: ['10.1.0.0/16'], Bergen: ['10.3.0.0/16'] } });
  let page: Page;
  let problems: readonly string[];
  const questions: URLSearchParams[] = [];
  beforeAll(async () => {
    ({ page, problems } = await ui.open());
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/api/statistics/load') questions.push(searchParams);
    });
    const bergen = [{ ip: '10.3.0.1' }, { ip: '10.3.0.2' }] as const;
    await ui.system.post(
      startXml({ callId: 'in Oslo', ago: 120, codec: 'opus/48000' }),
      startXml({ callId: 'in Bergen', ago: 120, codec: 'PCMA/8000', ends: bergen, frontEnd: 'fe2.example.test' }),
    );
    await signIn(page, ui.system, 'carol', `${LIVE}?codec=opus%2F48000&mood=bad&state=busy,active`);
  });

  const lastQuestion = (): Record<string, string> => {
    const { from: _from, to: _to, bucketSeconds: _seconds, ...others } = Object.fromEntries(questions.at(-1) ?? []);
    return others;
  };

  it('are all those of the search, in the charts, and what nobody knows is named', async () => {
    await page
      .getByRole('note')
      .getByText('Ignored in the address, unknown or with a wrong value: state=busy, mood=bad')
      .waitFor();
    await page.getByRole('note').getByText('Only the charts have: Codec: opus/48000.').waitFor();
    await page.locator('[data-call-id="in Bergen"]').waitFor();
    await soon(async () => expect(lastQuestion()).toEqual({ codec: 'opus/48000', state: 'active' }));
    await page.getByRole('img', { name: /^Concurrent calls, last hour, max 1$/ }).waitFor({ timeout: 60_000 });
    await hasNoBarriers(page);
  });

  it('are in the searches behind the charts, and in one for calls in progress', async () => {
    const mark = page.getByRole('figure', { name: 'Concurrent calls' }).locator('a').last();
    const search = new URL((await mark.getAttribute('href')) ?? '', page.url()).searchParams;
    expect(Object.fromEntries(search)).toMatchObject({ codec: 'opus/48000', state: 'active' });
    await page.getByRole('link', { name: 'Search calls in progress with all filters' }).click();
    const found = page.getByRole('region', { name: 'Calls found' }).locator('tbody tr');
    await soon(async () => expect(await found.count()).toBe(1));
    await page.goBack();
  });

  it('with several values have a line for each in the charts, and a legend', async () => {
    await page.goto(`${LIVE}?frontEnd=fe1.example.test&frontEnd=fe2.example.test`);
    await soon(async () =>
      expect(questions.at(-1)?.getAll('values')).toEqual(['fe1.example.test', 'fe2.example.test']),
    );
    expect(questions.at(-1)?.get('by')).toBe('frontEnd');
    const chart = page.getByRole('figure', { name: 'Concurrent calls' });
    await soon(async () =>
      expect(await chart.getByRole('listitem').allTextContents()).toEqual([
        'fe1.example.test max 1',
        'fe2.example.test max 1',
      ]),
    );
    await chart.locator('a[data-words$="fe1.example.test 1, fe2.example.test 1"]').first().waitFor();
    await isAccessibleOnAnyScreen(page, () => chart.getByRole('listitem').first().waitFor());
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${LIVE}?codec=opus%2F48000&state=active`);
    await page.getByRole('button', { name: 'Remove Codec: opus/48000' }).waitFor();
  });

  it('are added and removed, and narrow the list by site', async () => {
    await page.getByRole('button', { name: 'Remove Codec: opus/48000' }).click();
    await page.getByRole('button', { name: 'More filters' }).click();
    const adder = page.getByRole('group', { name: 'Add a filter' });
    await adder.getByLabel('Field').selectOption('site');
    await adder.getByLabel('Value').fill('Bergen');
    await adder.getByRole('button', { name: 'Add' }).click();
    await page.locator('[data-call-id="in Oslo"]').waitFor({ state: 'detached' });
    await page.locator('[data-call-id="in Bergen"]').waitFor();
    await soon(async () => expect(lastQuestion()).toEqual({ site: 'Bergen', state: 'active' }));
    await adder.getByLabel('Field').selectOption('frontEnd');
    await adder.getByLabel('Value').fill('fe1.example.test');
    await adder.getByRole('button', { name: 'Add' }).click();
    await page.getByText('No calls in progress match these filters.').waitFor();
    const query = new URL(page.url()).searchParams;
    expect(query.get('frontEnd')).toBe('fe1.example.test');
    await isAccessibleOnAnyScreen(page, () => adder.waitFor());
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.locator('[data-call-id="in Oslo"]').waitFor();
    await soon(async () => expect(lastQuestion()).toEqual({}));
    expect(new URL(page.url()).search).toBe('');
    expect(problems).toEqual([]);
  });
});
