import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { AlertReceiver } from './alert-receiver.js';
import { allProcessed, longestTaskOnCpu, signIn, soon, signedInToken, isAccessibleOnAnyScreen } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { captured, longTrace, offerOf } from './messages.js';
import { endXml, errorXml, startXml } from './records.js';

const [PHONE, PROXY, GATEWAY] = ['10.1.0.10', '10.9.0.1', '10.2.0.20'] as const;
const INVITE = 'INVITE sip:ben@example.test SIP/2.0';
const UNAVAILABLE = 'SIP/2.0 503 Service Unavailable';
/** The records that start a call, in both directions. */
const SENT = ['sends audio', 'sends audio'];
const MESSAGES = 500;
const LONGEST_TASK = 100;

describe('the ladder of a call', () => {
  let receiver: AlertReceiver;
  const ui = consoleUnderTest(async () => {
    receiver = await AlertReceiver.start();
    return { TRACE_DAYS: '7', ALERT_RECEIVERS: receiver.settings, ALERT_SECONDS: '1' };
  });
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    const failed = { callId: 'failed', ago: 60 };
    const many = { callId: 'many', ago: 600 };
    await ui.system.post(
      errorXml(failed).replace('Code="486">Busy Here', 'Code="503">Service Unavailable'),
      startXml({ callId: 'untraced', ago: 50 }),
      endXml({ callId: 'untraced', ago: 20 }),
      startXml(many),
      endXml({ ...many, ago: 5 }),
      startXml({ callId: 'running', ago: 30 }),
      startXml({ callId: 'leg-1', conversation: 'bridged', ago: 90 }),
      startXml({ callId: 'leg-2', conversation: 'bridged', from: 'ben', to: 'cleo', ago: 80 }),
      endXml({ callId: 'leg-2', conversation: 'bridged', from: 'ben', to: 'cleo', ago: 40 }),
      endXml({ callId: 'leg-1', conversation: 'bridged', ago: 30 }),
    );
    await ui.system.postMessages([
      captured({ callId: 'failed', from: PHONE, to: PROXY, line: INVITE, ago: 62, sdp: offerOf('sendrecv') }),
      captured({ callId: 'failed', from: PROXY, to: GATEWAY, line: INVITE, ago: 61.9, sdp: offerOf('sendrecv') }),
      captured({ callId: 'failed', from: GATEWAY, to: PROXY, line: UNAVAILABLE, ago: 61.5 }),
      captured({ callId: 'failed', from: PROXY, to: PHONE, line: UNAVAILABLE, ago: 61.4 }),
      captured({ callId: 'running', from: PHONE, to: PROXY, line: INVITE, ago: 30, sdp: offerOf('sendrecv') }),
    ]);
    await ui.system.postMessages(longTrace('many', MESSAGES));
    ({ page, problems } = await ui.open());
    await signIn(page, ui.system, 'carol');
    await allProcessed(page);
    await stored('many', MESSAGES);
    await stored('failed', 4);
    await stored('running', 1);
  });
  afterAll(() => receiver?.stop());

  async function stored(callId: string, count: number): Promise<void> {
    const headers = { authorization: `Bearer ${await signedInToken(page)}` };
    await soon(async () => {
      const answer = await page.request.get(`/api/calls/${callId}/messages`, { headers });
      const { items }: { items: unknown[] } = await answer.json();
      expect(items).toHaveLength(count);
    });
  }

  const ladder = (): ReturnType<Page['locator']> => page.getByRole('listbox', { name: 'Ladder' });
  const rows = (): ReturnType<Page['locator']> => ladder().getByRole('option');
  const message = (): ReturnType<Page['locator']> => page.getByRole('region', { name: 'Message', exact: true });

  /** The link in the alert about failed calls with 5xx, as it is delivered. */
  async function linkOfAlert(): Promise<string> {
    const rule = { name: 'Errors', measure: 'serverErrors', search: { state: 'failed' }, windowSeconds: 3_600 };
    const headers = { authorization: `Bearer ${await signedInToken(page)}` };
    const data = { ...rule, minimumCalls: 1, limit: 0.01, receivers: ['pager'] };
    const created = await page.request.post('/api/alert-rules', { headers, data });
    expect(created.status()).toBe(201);
    await soon(async () => expect(receiver.delivered).toContainEqual(expect.objectContaining({ state: 'firing' })));
    const { id }: { id: string } = await created.json();
    await page.request.delete(`/api/alert-rules/${id}`, { headers });
    return receiver.delivered.find(({ state }) => state === 'firing')?.link ?? '';
  }

  it('leads from the link of a delivered alert to the 503 in three steps with the keyboard only', async () => {
    await page.goto(await linkOfAlert());
    const call = page.getByRole('link', { name: 'anna@example.test → ben@example.test' });
    await call.waitFor();
    // With Tab from the top of the page.
    const isFocused = (): Promise<boolean> => call.evaluate((link) => link === document.activeElement);
    for (let presses = 0; presses < 80 && !(await isFocused()); presses++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await rows().filter({ hasText: '503' }).first().waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await message().getByRole('heading', { name: '503 Service Unavailable' }).waitFor();
    await message().getByText(`${GATEWAY}:5060`).waitFor();
  });

  it('draws each hop between the addresses involved, with records on the same time axis', async () => {
    await soon(async () => {
      expect(await rows().allTextContents()).toEqual([
        expect.stringMatching(/\+0\.000INVITE/),
        expect.stringMatching(/\+0\.100INVITE/),
        expect.stringMatching(/\+0\.500503 Service Unavailable/),
        expect.stringMatching(/\+0\.600503 Service Unavailable/),
        expect.stringContaining('error 503'),
      ]);
    });
    for (const address of [PHONE, PROXY, GATEWAY]) await page.getByTitle(address).first().waitFor();
  });

  it('moves with j and k, opens the headers and the description, and closes with Esc', async () => {
    await ladder().focus();
    await page.keyboard.press('k');
    await message().getByText('Phone/1.0').waitFor();
    await message().getByText(`${PHONE}:50000, sendrecv`).waitFor();
    await message().getByText('opus/48000/2', { exact: false }).first().waitFor();
    await page.keyboard.press('Escape');
    await message().waitFor({ state: 'detached' });
  });

  it('closes with Esc from the message too, and returns the focus to the list, also by Close', async () => {
    const hasFocus = (): Promise<boolean> => ladder().evaluate((list) => list === document.activeElement);
    await page.keyboard.press('Enter');
    await message().getByRole('button', { name: 'Copy' }).focus();
    await page.keyboard.press('Escape');
    await message().waitFor({ state: 'detached' });
    await soon(async () => expect(await hasFocus()).toBe(true));
    await page.keyboard.press('Enter');
    await message().getByRole('button', { name: 'Close' }).click();
    await soon(async () => expect(await hasFocus()).toBe(true));
  });

  it('scrolls to the opened message on a phone', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    await rows().first().click();
    const top = async (): Promise<number> => (await message().boundingBox())?.y ?? Number.POSITIVE_INFINITY;
    await soon(async () => expect(await top()).toBeLessThan(640));
    await message().getByRole('button', { name: 'Close' }).click();
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('filters by kind', async () => {
    const requests = page.getByRole('button', { name: 'Requests 2' });
    await requests.click();
    await soon(async () => expect(await rows().count()).toBe(3));
    await requests.click();
    await soon(async () => expect(await rows().count()).toBe(5));
  });

  it('downloads the messages as pcap and text', async () => {
    const saved = async (name: string): Promise<Buffer> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name, exact: true }).click(),
      ]);
      return readFileSync(await download.path());
    };
    const pcap = await saved('Download pcap');
    // The magic number of captures, and a message in the packets.
    expect(pcap.subarray(0, 4).toString('hex')).toMatch(/^(a1b2c3d4|d4c3b2a1|a1b23c4d|4d3cb2a1)$/);
    expect(pcap.includes(UNAVAILABLE)).toBe(true);
    expect((await saved('Download text')).toString()).toContain(UNAVAILABLE);
  });

  it('is accessible in light and dark, and fits a phone', async () => {
    await rows().first().click();
    await message().waitFor();
    await isAccessibleOnAnyScreen(page);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  it('says how to get messages where none were captured', async () => {
    await page.goto('/console/calls/untraced');
    await page.getByText('No SIP messages of this call are stored.').waitFor();
    await page.getByText('TRACE=on').waitFor();
    await soon(async () => expect(await rows().count()).toBeGreaterThan(1));
  });

  it('draws the records of related calls on the same time axis, and leads to them', async () => {
    await page.goto('/console/calls/leg-1');
    const labels = (): Promise<string[]> => rows().locator('[data-level]').allTextContents();
    const related = rows().filter({ hasText: 'related call' });
    await soon(async () => expect(await labels()).toEqual([...SENT, ...SENT, 'ended', 'ended']));
    expect(await related.count()).toBe(3);
    await page.getByTitle('cleo@example.test').first().waitFor();
    await page.getByRole('button', { name: 'Related calls' }).click();
    await soon(async () => expect(await labels()).toEqual([...SENT, 'ended']));
    await page.getByRole('button', { name: 'Related calls' }).click();
    await related.first().click();
    await page.getByRole('region', { name: 'Record', exact: true }).getByRole('link', { name: 'leg-2' }).click();
    await page.waitForURL('**/calls/leg-2');
  });

  it('shows new messages of a running call, and what they change in the description', async () => {
    await page.goto('/console/calls/running');
    await rows().filter({ hasText: 'INVITE' }).waitFor();
    await ui.system.postMessages([
      captured({
        callId: 'running',
        from: PHONE,
        to: PROXY,
        line: INVITE,
        cseq: '2 INVITE',
        ago: 0,
        sdp: offerOf('sendonly'),
      }),
    ]);
    await soon(async () => expect(await rows().filter({ hasText: 'INVITE' }).count()).toBe(2));
    await rows().filter({ hasText: 'INVITE' }).last().click();
    await message().getByRole('heading', { name: 'Compared with the previous description' }).waitFor();
    const changes = message().locator('[data-change="added"], [data-change="removed"]');
    expect(await changes.allTextContents()).toEqual(['− a=sendrecv', '+ a=sendonly']);
  });

  it('reports interrupted live updates of a running call, and keeps its messages', async () => {
    await page.route('**/messages/stream*', (route) => route.abort());
    await page.goto('/console/calls/running');
    await page.getByText('Live updates interrupted, reconnecting …').waitFor();
    await rows().filter({ hasText: 'INVITE' }).first().waitFor();
    await page.unroute('**/messages/stream*');
    await page.getByText('Live updates interrupted, reconnecting …').waitFor({ state: 'detached' });
  });

  it('opens a call with 500 messages without a long task, and renders only the rows in sight', async () => {
    await page.goto('/console/calls/many');
    await rows().first().waitFor();
    await page.getByRole('button', { name: 'Requests 250' }).waitFor();
    expect(await rows().count()).toBeLessThan(40);
    await ladder().focus();
    await page.keyboard.press('End');
    await soon(async () => expect(await rows().last().getAttribute('aria-posinset')).toBe(String(MESSAGES + 3)));
    expect(await rows().count()).toBeLessThan(40);
    await page.keyboard.press('Home');
    const longest = await longestTaskOnCpu(ui.browser, page, async () => {
      await page.reload();
      await page.getByRole('button', { name: 'Requests 250' }).waitFor();
      await rows().first().waitFor();
    });
    expect(longest).toBeGreaterThan(0);
    expect(longest).toBeLessThan(LONGEST_TASK);
    expect(problems).toEqual([]);
  });
});
