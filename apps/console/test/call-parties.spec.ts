import type { Locator, Page } from 'playwright-core';
import { allProcessed, fits, hasNoBarriers, signIn, soon } from './browser.js';
import { consoleUnderTest } from './console-under-test.js';
import { BAD, GOOD, inviteD, qualityD, startD, type DetailedCall } from './detailed-call.js';
import { startXml } from './records.js';

const MARKUP = '<img src=x onerror=alert(1)>';

describe('the parties of a call', () => {
  const call: DetailedCall = { callId: 'detailed', ago: 600 };
  const odd: DetailedCall = {
    callId: 'odd',
    from: 'x'.repeat(2_000),
    ago: 300,
    userAgent: MARKUP.replaceAll('<', '&lt;').repeat(400),
  };
  const ui = consoleUnderTest({ SITES_FILE: { Bergen: ['10.2.0.0/24'], Homes: ['203.0.113.0/24'] } });
  let page: Page;
  let problems: readonly string[];
  beforeAll(async () => {
    await ui.system.post(
      inviteD(call),
      startD(call, 7),
      qualityD(call, 300, BAD, GOOD),
      startD(odd, 0),
      startXml({ callId: 'plain', from: 'cleo', to: 'dora', ends: [{ ip: '10.9.0.1' }, { ip: '2001:db8::7' }] }),
    );
    ({ page, problems } = await ui.open());
    await signIn(page, ui.system, 'carol', '/console/calls/detailed');
    await allProcessed(page);
    await page.reload();
    await card('anna@example.test').waitFor();
  });

  const card = (name: string): Locator => page.getByRole('region', { name, exact: true });

  async function facts(of: Locator): Promise<Readonly<Record<string, string>>> {
    const pairs = await of
      .locator('dl > div')
      .evaluateAll((rows) =>
        rows.map((row) => [row.querySelector('dt')?.textContent ?? '', row.querySelector('dd')?.textContent ?? '']),
      );
    return Object.fromEntries(pairs);
  }

  it('have a card each with device, system, Wi-Fi, VPN, NAT, relay, subnet and site', async () => {
    expect(await facts(card('anna@example.test'))).toMatchObject({
      Device: 'Softphone/16.0.4266',
      System: 'Windows 11 23H2',
      Link: 'wifi · 867\u00A0Mbit/s',
      'Wi-Fi': 'Home-5G · signal 38\u00A0%',
      'Access point': '9C-3D-CF-11-22-33 · channel 11 · 3 handovers',
      VPN: 'yes',
      Network: 'outside the organisation',
      Site: 'Homes',
      Address: '192.0.2.44:50012 · 192.0.2.0/24',
      'Outside NAT': '203.0.113.77:61000',
      Subnet: '192.168.1.0',
      Relay: '198.51.100.9:52001',
    });
    expect(await facts(card('ben@example.test'))).toMatchObject({ Device: 'DeskPhone/4.2', VPN: 'no', Site: 'Bergen' });
    expect(await card('anna@example.test').getByRole('heading').textContent()).toBe('anna@example.testcaller');
    expect(problems).toEqual([]);
  });

  it.each([
    ['Softphone/16.0.4266', 'userAgent'],
    ['Headset Pro 45 (USB)', 'device'],
    ['Windows 11 23H2', 'os'],
    ['wifi', 'connection'],
    ['Home-5G', 'ssid'],
    ['9C-3D-CF-11-22-33', 'bssid'],
    ['yes', 'vpn'],
    ['outside the organisation', 'inside'],
    ['Homes', 'site'],
    ['192.0.2.44:50012', 'address'],
    ['192.0.2.0/24', 'address'],
    ['203.0.113.77:61000', 'address'],
    ['198.51.100.9:52001', 'relay'],
  ])('link %s to the calls with it (%s)', async (text, filter) => {
    await page.goto('/console/calls/detailed');
    await card('anna@example.test').getByRole('link', { name: text, exact: true }).click();
    await page.waitForURL((url) => url.searchParams.has(filter) && url.searchParams.get('last') === '7d');
    await page.getByRole('link', { name: 'anna@example.test → ben@example.test' }).waitFor();
    expect(await page.getByText('Ignored in the address').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'cleo@example.test → dora@example.test' }).count()).toBe(0);
  });

  it('are read and opened with the keyboard', async () => {
    await page.goto('/console/calls/detailed');
    await card('anna@example.test').getByRole('link', { name: 'Relay' }).waitFor({ state: 'detached' });
    await card('anna@example.test').getByRole('link').last().focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await soon(async () =>
      expect(await facts(card('anna@example.test'))).toMatchObject({
        'DSCP in': '0',
        'MAC address': '00-15-5D-00-11-22',
        Processor: 'Core i7-1260P · 12 cores · 2100\u00A0MHz',
      }),
    );
  });

  it('show only what is known', async () => {
    await page.goto('/console/calls/plain');
    await card('cleo@example.test').waitFor();
    const [cleo, dora] = [await facts(card('cleo@example.test')), await facts(card('dora@example.test'))];
    expect(Object.keys(cleo)).toEqual(['Address', 'Endpoint', 'Dialog tag']);
    expect(dora['Address']).toBe('[2001:db8::7]:50000');
  });

  it('show hostile names and devices as text, in the width of the window', async () => {
    await page.goto('/console/calls/odd');
    const device = card(`${odd.from}@example.test`).locator('dd').first();
    await device.waitFor();
    expect(await device.textContent()).toMatch(/^(<img src=x onerror=alert\(1\)>){30}/);
    expect(await page.locator('main img').count()).toBe(0);
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await fits(page);
    }
    expect(problems).toEqual([]);
  });

  it.each(['light', 'dark'] as const)('are accessible (%s)', async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    for (const callId of ['detailed', 'odd']) {
      await page.goto(`/console/calls/${callId}`);
      await page.getByRole('heading', { name: 'Parties' }).waitFor();
      await hasNoBarriers(page);
    }
  });

  it('are hidden where the API hides users, and the links find the same calls', async () => {
    const hidden = await ui.open();
    await hidden.page.route('**/api/calls**', (route) => {
      const url = new URL(route.request().url());
      url.searchParams.set('identities', 'hidden');
      return route.continue({ url: url.href });
    });
    await signIn(hidden.page, ui.system, 'carol', '/console/calls/detailed');
    await hidden.page.getByRole('heading', { name: 'Parties' }).waitFor();
    const shown = await hidden.page.locator('main').textContent();
    expect(shown).not.toMatch(/anna|ben@|Home-5G/);
    expect(shown).toContain('Softphone/16.0.4266');
    await hidden.page.getByRole('link', { name: '198.51.100.9:52001' }).first().click();
    await hidden.page.getByRole('region', { name: 'Calls found' }).locator('tbody a').first().waitFor();
    await hidden.page.context().close();
  });
});
