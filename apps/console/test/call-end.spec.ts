import type { Page } from 'playwright-core';
import { allProcessed, fits, hasNoBarriers, signIn, soon } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { byeD, GOOD, inviteD, qualityD, startD, type DetailedCall } from './detailed-call.js';
import { errorXml, startXml } from './records.js';

const LINKED = '<ConversationId>conv</ConversationId>';

describe('the end of a call', () => {
  const first: DetailedCall = { callId: 'first', ago: 600, header: LINKED };
  const second: DetailedCall = { callId: 'second', from: 'cleo', ago: 290, header: LINKED };
  const ui = consoleUnderTest();
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    await ui.system.post(
      inviteD(first),
      startD(first, 7),
      byeD(first, 300, '<TransferredTo>sip:ben@example.test</TransferredTo><TransferredBy>Caller</TransferredBy>'),
      qualityD(first, 301, GOOD, GOOD),
      inviteD(second),
      startD(second, 4),
      errorXml({ callId: 'busy', from: 'dora', ago: 200 }).replace('Busy Here', 'Busy &lt;b&gt;Here\u202E'),
      startXml({ callId: 'running', from: 'eve', ago: 61 }),
    );
    ({ page, problems } = await ui.open());
    await signIn(page, ui.system, 'carol', '/console/calls/first');
    await allProcessed(page);
    await page.reload();
    await page.getByText('Transferred to').waitFor();
  });

  /** The value beside this name in the head. */
  async function fact(name: string): Promise<string | undefined> {
    const found = page.locator('header dl > div').filter({ has: page.locator('dt', { hasText: name }) });
    return (await found.locator('dd').first().textContent()) ?? undefined;
  }

  it('names who ended it, how long it rang and was set up, and where it was transferred to', async () => {
    expect(await fact('Ended')).toMatch(/ by the callee$/);
    expect([await fact('Post-dial delay'), await fact('Ring time'), await fact('Setup time')]).toEqual([
      '0.82\u00A0s',
      '6.4\u00A0s',
      expect.stringMatching(/^7\ss$|^[67]\.\d+\ss$/),
    ]);
    expect(await fact('Transferred to')).toBe('ben@example.test by the caller');
    expect(await page.getByRole('note').count()).toBe(0);
  });

  it('links the other legs', async () => {
    const legs = page.getByRole('region', { name: 'Related calls', exact: true });
    await legs.getByRole('cell', { name: 'same conversation' }).waitFor();
    await legs.getByRole('link', { name: 'cleo@example.test → ben@example.test' }).click();
    await page.getByRole('heading', { name: 'cleo@example.test → ben@example.test', level: 1 }).waitFor();
  });

  it('of a failed call is told in words, with code and diagnostics', async () => {
    await page.goto('/console/calls/busy');
    const banner = page.getByRole('note', { name: 'Why the call ended' });
    await banner.waitFor();
    expect(await banner.locator('p').allTextContents()).toEqual([
      'The call failed: 486 Busy <b>Here\uFFFD',
      'The other person is in another call.',
      expect.stringMatching(/^fe1\.example\.test reports: the callee is in another call \(10000\)/),
    ]);
    const colours = await banner.evaluate((element) => [
      getComputedStyle(element.querySelector('strong') ?? element).color,
      getComputedStyle(document.body).color,
    ]);
    expect(colours[0]).not.toBe(colours[1]);
    expect(await page.title()).toBe('dora@example.test → ben@example.test, failed – Ringdown');
    expect(problems).toEqual([]);
  });

  it('has not come while "Duration" counts', async () => {
    await page.goto('/console/calls/running');
    const timer = page.getByRole('timer');
    await timer.waitFor();
    const seconds = async (): Promise<number> => {
      const [minutes = 0, rest = 0] = ((await timer.textContent()) ?? '').split(':').map(Number);
      return minutes * 60 + rest;
    };
    const before = await seconds();
    expect(before).toBeGreaterThanOrEqual(61);
    await soon(async () => expect(await seconds()).toBeGreaterThanOrEqual(before + 2));
    expect(await page.title()).toBe('eve@example.test → ben@example.test, active – Ringdown');
  });

  it('shows records as XML, indented and coloured, and copies them as received', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/console/calls/busy');
    const records = page.getByRole('region', { name: 'Records' });
    await records.getByText('error', { exact: true }).click();
    const lines = records.locator('pre > div');
    await lines.first().waitFor();
    const shown = await lines.evaluateAll((found) =>
      found.map((line) => [parseFloat(getComputedStyle(line).paddingLeft), line.textContent] as const),
    );
    const status = shown.find(([, text]) => text?.startsWith('<ResponseCode'));
    expect(status?.[1]).toContain('&lt;b&gt;');
    expect(status?.[0]).toBeGreaterThan(shown[0]?.[0] ?? Infinity);
    expect(await records.locator('pre b').count()).toBe(0);
    const colours = await records
      .locator('pre span')
      .evaluateAll((parts) => new Set(parts.map((part) => getComputedStyle(part).color)).size);
    expect(colours).toBeGreaterThanOrEqual(3);
    await records.getByRole('button', { name: 'Copy XML' }).focus();
    await page.keyboard.press('Enter');
    await records.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).toMatch(/^<Diagnostics Version="1.0"><ConnectionInfo>.*<\/Diagnostics>$/s);
    expect(copied).toContain('Busy &lt;b&gt;Here\u202E');
  });

  it('is followed by the next call of the search, with the keyboard', async () => {
    await page.goto('/console/calls?last=7d&sort=oldest');
    await page.getByRole('link', { name: 'anna@example.test → ben@example.test' }).click();
    const heading = (name: string): Promise<void> =>
      page.getByRole('heading', { name: `${name}@example.test → ben@example.test`, level: 1 }).waitFor();
    await heading('anna');
    const list = page.getByRole('navigation', { name: 'Calls of the search' });
    expect(await list.getByRole('link', { name: 'Previous call' }).getAttribute('aria-disabled')).toBe('true');
    // A link only when the list is loaded.
    await list.locator('a[aria-label="Next call"]').focus();
    for (const name of ['cleo', 'dora', 'eve']) {
      await page.keyboard.press('Enter');
      await heading(name);
    }
    expect(await list.getByRole('link', { name: 'Next call' }).getAttribute('aria-disabled')).toBe('true');
    await list.locator('a[aria-label="Previous call"]').focus();
    await page.keyboard.press('Enter');
    await heading('dora');
    await list.getByRole('link', { name: 'All results' }).click();
    await page.getByRole('link', { name: 'eve@example.test → ben@example.test' }).waitFor();
    expect(await page.getByText('Ignored in the address').count()).toBe(0);
    expect(problems).toEqual([]);
  });

  it('has the neighbours of the list that was shown, also when calls have begun since', async () => {
    await page.goto('/console/calls?last=7d');
    const first = page.locator('tbody tr').first().getByRole('link').first();
    const name = await first.textContent();
    await ui.system.post(startXml({ callId: 'later', from: 'zoe' }));
    await allProcessed(page);
    await first.click();
    await page.getByRole('heading', { name: name ?? '', level: 1 }).waitFor();
    const list = page.getByRole('navigation', { name: 'Calls of the search' });
    await list.locator('a[aria-label="Next call"]').waitFor();
    expect(await list.getByRole('link', { name: 'Previous call' }).getAttribute('aria-disabled')).toBe('true');
  });

  it.each(['light', 'dark'] as const)('is accessible, and fits a phone (%s)', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    for (const callId of ['first', 'busy', 'running']) {
      await page.goto(`/console/calls/${callId}?list=sort%3Doldest`);
      await page.getByRole('heading', { name: 'Records' }).waitFor();
      await page.locator('details summary').last().click();
      await hasNoBarriers(page);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await fits(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });
});
