import { eventually } from '@ringdown/testing';
import { readFileSync } from 'node:fs';
import type { Browser, Locator, Page } from 'playwright-core';
import { barriers, openPage, overflow, signIn, startBrowser } from './browser.js';
import { endXml, errorXml, qualityXml, startXml } from './records.js';
import { System } from './system.js';

const FILLING = 60;

describe('the search view', () => {
  let system: System;
  let browser: Browser;
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    [system, browser] = await Promise.all([System.start(), startBrowser()]);
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
    await eventually(
      'the last call',
      async () => {
        await page.reload();
        await page.getByRole('search').waitFor();
        await page
          .getByRole('status')
          .filter({ hasText: 'call' })
          .or(page.getByText('No call is like that.'))
          .waitFor();
        return (await rows().count()) === 1;
      },
      60_000,
    );
  }, 240_000);
  afterAll(async () => {
    await browser?.close();
    await system?.stop();
  }, 60_000);

  const rows = (): Locator => page.getByRole('region', { name: 'Calls found' }).locator('tbody tr');

  it('finds what its address says, and shows that in its fields', async () => {
    expect(await rows().nth(0).textContent()).toContain('old@example.test');
    expect(await page.getByLabel('User', { exact: true }).inputValue()).toBe('old@example.test');
    expect(await page.getByLabel('Time').inputValue()).toBe('all');
    expect(problems).toEqual([]);
  });

  it('narrows to verdicts, states and texts, and keeps all of them in the address', async () => {
    await page.goto('/console/calls');
    await page.getByRole('button', { name: 'bad' }).click();
    await page.getByRole('link', { name: 'cleo@example.test → dora@example.test' }).waitFor();
    expect(await rows().count()).toBe(1);
    expect(await rows().nth(0).textContent()).toContain('Packet loss 40 %');
    await page.getByLabel('Front end').fill('fe9');
    await page.keyboard.press('Enter');
    await page.getByText('No call is like that.').waitFor();
    expect(new URL(page.url()).search).toBe('?verdict=bad&frontEnd=fe9');
    await page.goBack();
    await page.getByRole('link', { name: 'cleo@example.test → dora@example.test' }).waitFor();
    expect(await page.getByLabel('Front end').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.waitForURL('**/console/calls');
  });

  it('finds calls by subnet and by the status of an error', async () => {
    await page.getByLabel('SIP status').fill('486');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByText('486 Busy Here').waitFor();
    await page.goto('/console/calls?address=10.9.0.0/16');
    await page.getByText('No call is like that.').waitFor();
    await page.goto('/console/calls?address=10.1.0.0/16');
    await rows().nth(1).waitFor();
    expect(await page.getByLabel('Address or subnet').inputValue()).toBe('10.1.0.0/16');
  });

  it('says what is wrong with a filter', async () => {
    await page.goto('/console/calls?address=nowhere');
    await page
      .getByRole('alert')
      .getByText(/address/)
      .waitFor();
    expect(await rows().count()).toBe(0);
  });

  it('says what it does not understand in an address', async () => {
    await page.goto('/console/calls?verdict=awful&usr=anna');
    await page.getByText('Not understood in the address, and left out: verdict=awful, usr=anna').waitFor();
    expect(await page.locator('tbody tr').count()).toBeGreaterThan(0);
    await page.goto('/console/calls?verdict=bad');
    await page.getByRole('link', { name: 'cleo@example.test → dora@example.test' }).waitFor();
    expect(await page.getByText('Not understood').count()).toBe(0);
  });

  it('goes from page to page and back', async () => {
    await page.goto('/console/calls?user=anna%40example.test');
    await page.getByText('50 calls on this page').waitFor();
    const first = await rows().nth(0).textContent();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText('10 calls on this page, the last').waitFor();
    expect(await page.getByRole('button', { name: 'Next' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByText('50 calls on this page').waitFor();
    expect(await rows().nth(0).textContent()).toBe(first);
  });

  it('shows the columns of one’s choice, also after a reload', async () => {
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'CallId' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'CallId' }).waitFor();
    await page.reload();
    await page.getByRole('columnheader', { name: 'CallId' }).waitFor();
    expect(await rows().nth(0).textContent()).toContain('filling-59');
  });

  it('exports all that fits, not the page alone', async () => {
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

  it('is reached and left with the keyboard alone', async () => {
    await page.locator('body').press('/');
    expect(await page.evaluate('document.activeElement.name')).toBe('user');
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('cleo@example.test');
    await page.keyboard.press('Enter');
    const link = page.getByRole('link', { name: 'cleo@example.test → dora@example.test' });
    await link.waitFor();
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'cleo@example.test → dora@example.test', level: 1 }).waitFor();
    await page.goBack();
    await link.waitFor();
  });

  it('has no barriers, in light and dark, and fits a telephone', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await barriers(page)).toEqual([]);
    }
    await page.setViewportSize({ width: 360, height: 640 });
    expect(await overflow(page)).toBe(0);
    expect(await barriers(page)).toEqual([]);
  });
});
