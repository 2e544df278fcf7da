import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { allProcessed, signIn, soon, isAccessibleOnAnyScreen } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { endXml, errorXml, qualityXml, startXml } from './records.js';

describe('the call view', () => {
  const callId = 'bad/call?50%@10.1.0.10';
  const address = `/console/calls/${encodeURIComponent(callId)}`;
  const bad = { callId: callId.replaceAll('&', '&amp;'), conversation: 'conv-1' };
  const ui = consoleUnderTest();
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    await ui.system.post(
      startXml({ ...bad, ago: 100 }),
      endXml({ ...bad, ago: 40 }),
      qualityXml({ ...bad, ago: 35 }, 0.4),
      errorXml({ callId: 'busy', to: 'cleo', conversation: 'conv-1', ago: 20 }),
    );
    ({ page, problems } = await ui.open());
    await signIn(page, ui.system, 'carol', address);
    await allProcessed(page);
    await page.reload();
    await page.getByText('Packet loss 40 % on audio').waitFor();
  });

  it('opens at its address for any CallId, and shows parties, times and the reason of the verdict', async () => {
    await page.getByRole('heading', { name: 'anna@example.test → ben@example.test', level: 1 }).waitFor();
    await soon(async () => expect(await page.title()).toContain('anna@example.test → ben@example.test'));
    await page
      .getByText(
        "Packet loss 40 % on audio from anna@example.test to ben@example.test, above the sender's limit of 10 %.",
        { exact: true },
      )
      .waitFor();
    expect(problems).toEqual([]);
  });

  it('shows its times in the zone of the browser, or in UTC in all tabs once that is chosen', async () => {
    const other = await ui.open({ timezoneId: 'Asia/Kolkata', locale: 'en-US' });
    await signIn(other.page, ui.system, 'carol', address);
    const second = await other.page.context().newPage();
    await second.goto(address);
    const started = (tab: Page): ReturnType<Page['locator']> => tab.locator('dl time').first();
    const clockIn = async (timeZone: string): Promise<string> => {
      const at = await started(other.page).getAttribute('datetime');
      const fields = { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZone } as const;
      return new Intl.DateTimeFormat('en-US', fields).format(new Date(at ?? ''));
    };
    const shows = (tab: Page, clock: string): Promise<void> =>
      soon(async () => expect((await started(tab).textContent())?.endsWith(clock)).toBe(true));
    expect(await clockIn('Asia/Kolkata')).toMatch(/[AP]M$/);
    await shows(other.page, await clockIn('Asia/Kolkata'));
    await other.page.getByRole('button', { name: /Signed in as/ }).click();
    await other.page.getByRole('menuitem', { name: 'Show times in UTC' }).click();
    for (const tab of [other.page, second]) await shows(tab, await clockIn('UTC'));
    await other.page.reload();
    await shows(other.page, await clockIn('UTC'));
    await other.page.getByRole('button', { name: /, times in UTC$/ }).click();
    await other.page.getByRole('menuitem', { name: 'Show times in local time' }).click();
    for (const tab of [other.page, second]) await shows(tab, await clockIn('Asia/Kolkata'));
    await other.page.context().close();
  });

  it('links to other calls of the same users and front end', async () => {
    const searched = async (name: string): Promise<URLSearchParams> => {
      const href = await page.getByRole('link', { name, exact: true }).first().getAttribute('href');
      return new URL(href ?? '', ui.system.origin).searchParams;
    };
    expect((await searched('anna@example.test')).get('user')).toBe('sip:anna@example.test');
    expect((await searched('fe1.example.test')).get('frontEnd')).toBe('fe1.example.test');
  });

  it('shows each metric with its level and its threshold', async () => {
    const cells = (name: RegExp): Promise<string[]> =>
      page.getByRole('row', { name }).getByRole('cell').allTextContents();
    await soon(async () => {
      expect(await cells(/^Packet loss/)).toEqual(["40\u00A0%bad≤ 10\u00A0% sender's limit", '–']);
      expect(await cells(/^Jitter/)).toEqual(['12\u00A0msgood≤ 15\u00A0ms optimal', '–']);
    });
  });

  it('shows streams with addresses, codecs and bandwidth', async () => {
    const streams = page.getByRole('region', { name: 'Streams' });
    await soon(async () => {
      expect(await streams.getByText('10.1.0.10:50000').count()).toBe(2);
      expect(await streams.getByText('SIREN/16000 (53 kbit/s to 69 kbit/s)').count()).toBe(2);
    });
  });

  it('draws the events between the parties, and the state of the call', async () => {
    const steps = page.getByRole('listbox', { name: 'Ladder' }).getByRole('option');
    await soon(async () => {
      expect(await steps.allTextContents()).toEqual([
        expect.stringContaining('sends audio'),
        expect.stringContaining('sends audio'),
        expect.stringMatching(/ended.*ended/),
        expect.stringMatching(/report on audio: loss 40\s%, jitter 12\sms, round trip 48\sms.*bad/),
        expect.stringMatching(/error 486related call.*failed/),
      ]);
    });
  });

  it('shows the records as received', async () => {
    const records = page.getByRole('region', { name: 'Records' });
    await records.getByText('qualityUpdate', { exact: true }).click();
    await records.getByText('<PacketLossRate Limit="0.1">0.4</PacketLossRate>').waitFor();
    await soon(async () => expect(await records.locator('details').count()).toBe(3));
  });

  it('shows times in the zone of the viewer, and in UTC on hover', async () => {
    const far = await ui.open({ timezoneId: 'Asia/Tokyo' });
    await signIn(far.page, ui.system, 'carol', address);
    const time = far.page.locator('time').first();
    await time.waitFor();
    const at = Date.parse((await time.getAttribute('datetime')) ?? '');
    const clockAt = (ms: number): string => new Date(ms).toISOString().slice(11, 19);
    expect(await time.getAttribute('title')).toMatch(new RegExp(`${clockAt(at)}\\.\\d+ UTC$`));
    const inTokyo = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium', timeZone: 'Asia/Tokyo' }).format(at);
    expect(await time.textContent()).toContain(inTokyo);
    await far.page.context().close();
  });

  it('is exported as JSON', async () => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ]);
    const saved: { callId: string; records: unknown[] } = JSON.parse(readFileSync(await download.path(), 'utf8'));
    expect([saved.callId, saved.records.length]).toEqual([callId, 3]);
    expect(download.suggestedFilename()).toMatch(/^call-[\w.-]+\.json$/);
  });

  it('copies its link', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Copied').waitFor();
    const copied = (): Promise<string> => page.evaluate<string>('navigator.clipboard.readText()');
    await soon(async () => expect(await copied()).toBe(ui.system.origin + address));
  });

  it('is accessible in light and dark, and fits a phone', async () => {
    await isAccessibleOnAnyScreen(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('links to related calls, and explains their errors', async () => {
    await page.getByRole('link', { name: 'anna@example.test → cleo@example.test' }).click();
    await page.getByRole('heading', { name: 'anna@example.test → cleo@example.test', level: 1 }).waitFor();
    const banner = page.getByRole('note', { name: 'Why the call ended' });
    await banner.getByText('The call failed: 486 Busy Here').waitFor();
    await banner.getByText('The other person is in another call.').waitFor();
    await banner.getByText('fe1.example.test reports: the callee is in another call (10000)').waitFor();
  });

  it('reports an unknown call', async () => {
    await page.goto('/console/calls/nothing');
    await page.getByRole('heading', { name: 'No record of this call has been received.', level: 1 }).waitFor();
    expect(problems).toEqual([]);
  });
});
