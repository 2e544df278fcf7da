import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { allProcessed, fits, hasNoBarriers, openPage, signIn, soon, startBrowser } from './browser.js';
import { endXml, errorXml, qualityXml, startXml } from './records.js';
import { System } from './system.js';

const FILLING = 60;
const OF_ANNA = '/console/calls?user=anna%40example.test';

describe('the search view', () => {
  let system: System;
  let browser: Browser;
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    browser = await startBrowser();
    system = await System.start();
    const bad = { callId: 'bad', from: 'cleo', to: 'dora', frontEnd: 'fe2.example.test' };
    await system.post(
      ...Array.from({ length: FILLING }, (_, n) => startXml({ callId: `filling-${n}`, ago: 5_000 - n })),
      startXml({ ...bad, ago: 900 }),
      endXml({ ...bad, ago: 300 }),
      qualityXml({ ...bad, ago: 295 }, 0.4),
      errorXml({ callId: 'busy', from: 'eve', ago: 200 }),
      startXml({ callId: 'old', from: 'old', ago: 300_000 }),
    );
    ({ page, problems } = await openPage(browser, system));
    await signIn(page, system, 'carol', '/console/calls?last=all&user=old%40example.test');
    await allProcessed(page);
    // The view does not poll.
    await page.reload();
  });
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  });

  const rows = (): Locator => page.getByRole('region', { name: 'Calls found' }).locator('tbody tr');

  const shows = (field: Locator, value: string): Promise<void> =>
    soon(async () => expect(await field.inputValue()).toBe(value));

  it('finds the calls of its address, and shows the filter in its fields', async () => {
    await rows().getByText('old@example.test').waitFor();
    await shows(page.getByLabel('User', { exact: true }), 'old@example.test');
    await shows(page.getByLabel('Time'), 'all');
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
    await page.getByRole('button', { name: 'Search' }).click();
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
    await page.getByText('Not understood in the address, and left out: verdict=awful, usr=anna').waitFor();
    await rows().first().waitFor();
    await page.goto('/console/calls?verdict=bad');
    await page.getByRole('link', { name: 'cleo@example.test → dora@example.test' }).waitFor();
    expect(await page.getByText('Not understood').count()).toBe(0);
  });

  it('moves between pages', async () => {
    await page.goto(OF_ANNA);
    await page.getByText('50 calls on this page').waitFor();
    const linkOf = (): Promise<string | null> => rows().nth(0).getByRole('link').getAttribute('href');
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
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'CallId' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'CallId' }).waitFor();
    await page.reload();
    await page.getByRole('columnheader', { name: 'CallId' }).waitFor();
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
    await soon(async () => expect(await page.evaluate('document.activeElement.name')).toBe('user'));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('cleo@example.test');
    await page.keyboard.press('Enter');
    await soon(async () => expect(await rows().count()).toBe(1));
    const link = page.getByRole('link', { name: 'cleo@example.test → dora@example.test' });
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'cleo@example.test → dora@example.test', level: 1 }).waitFor();
    await page.goBack();
    await link.waitFor();
  });

  it('is accessible in light and dark, and fits a phone', async () => {
    await page.goto(OF_ANNA);
    await rows().first().waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await hasNoBarriers(page);
    }
    await page.setViewportSize({ width: 360, height: 640 });
    await fits(page);
    await hasNoBarriers(page);
  });
});
