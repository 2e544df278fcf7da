import { partyFacts, type PartyFact } from './party-facts.js';

function shown(facts: readonly PartyFact[]): Readonly<Record<string, string>> {
  return Object.fromEntries(facts.map(({ label, values }) => [label, values.map(({ text }) => text).join(' · ')]));
}

function filters(facts: readonly PartyFact[]): readonly string[] {
  return facts.flatMap(({ values }) => values.flatMap(({ filter }) => (filter === undefined ? [] : filter.join('='))));
}

describe('the facts about a party', () => {
  const laptop = {
    userAgent: 'Softphone/16.0',
    captureDevice: 'Headset',
    os: 'Windows 11',
    connection: 'WiFi',
    linkSpeed: 867_000_000,
    ssid: 'office',
    bssid: '9C-3D-CF-11-22-33',
    wifiSignalStrength: 38,
    wifiChannel: 11,
    wifiHandovers: 1,
    vpn: true,
    inside: false,
    site: 'Oslo',
    ip: '192.0.2.44',
    port: 50_012,
    reflexiveIp: '203.0.113.77',
    hostIp: '192.168.1.23',
    subnet: '192.168.1.0',
    relay: '198.51.100.9',
    relayPort: 52_001,
    mac: '00-15-5D-00-11-22',
    dscpInbound: 46,
    further: { 'Weather@Unit': 'C' },
  };

  it('have fields that nobody has placed, with the filter of their name', () => {
    const later = { ...laptop, altitude: 40, pressurised: false, weather: 'rain', pool: 'pool1', parts: { a: 1 } };
    const { main, more } = partyFacts(later);
    expect(main).toEqual(partyFacts(laptop).main);
    const placed = partyFacts(laptop).more.map(({ label }) => label);
    expect(more.filter(({ label }) => !placed.includes(label))).toEqual([
      { label: 'altitude', values: [{ text: '40' }] },
      { label: 'pressurised', values: [{ text: 'false' }] },
      { label: 'weather', values: [{ text: 'rain' }] },
      { label: 'pool', values: [{ text: 'pool1', filter: ['pool', 'pool1'] }] },
    ]);
  });

  it('are its device, system, link, Wi-Fi, VPN, relay, NAT, subnet and site', () => {
    const { main, more } = partyFacts(laptop);
    expect(shown(main)).toEqual({
      Device: 'Softphone/16.0',
      Microphone: 'Headset',
      System: 'Windows 11',
      Link: 'WiFi · 867\u00A0Mbit/s',
      'Wi-Fi': 'office · signal 38\u00A0%',
      'Access point': '9C-3D-CF-11-22-33 · channel 11 · 1 handover',
      VPN: 'yes',
      Network: 'outside the organisation',
      Site: 'Oslo',
      Address: '192.0.2.44:50012 · 192.0.2.0/24',
      'Outside NAT': '203.0.113.77',
      'Own address': '192.168.1.23',
      Subnet: '192.168.1.0',
      Relay: '198.51.100.9:52001',
    });
    expect(shown(more)).toEqual({ 'DSCP in': '46', 'MAC address': '00-15-5D-00-11-22', 'Weather@Unit': 'C' });
  });

  it('find the calls with the same value by the filters of the query API', () => {
    const { main, more } = partyFacts(laptop);
    expect(filters([...main, ...more])).toEqual([
      'userAgent=Softphone/16.0',
      'device=Headset',
      'os=Windows 11',
      'connection=wifi',
      'ssid=office',
      'bssid=9C-3D-CF-11-22-33',
      'vpn=true',
      'inside=false',
      'site=Oslo',
      'address=192.0.2.44',
      'address=192.0.2.0/24',
      'address=203.0.113.77',
      'relay=198.51.100.9',
      'dscp=46',
      'mac=00-15-5D-00-11-22',
    ]);
  });

  it('are absent where no record has them', () => {
    expect(partyFacts({})).toEqual({ main: [], more: [] });
    expect(shown(partyFacts({ vpn: false, wireless: true, wifiBatteryCharge: 0 }).main)).toEqual({
      VPN: 'no',
      Link: 'wireless',
    });
  });

  it('have no filter for values that the query API does not accept', () => {
    const long = 'x'.repeat(10_000);
    const { main, more } = partyFacts({ userAgent: long, os: long, ip: long, dscpInbound: 700 });
    expect(filters([...main, ...more])).toEqual([`userAgent=${'x'.repeat(100)}`]);
    expect(shown(main)['System']).toBe(long);
  });

  it('show no characters that change the direction of the text', () => {
    const { main } = partyFacts({ os: 'a\u202Egro.live', connection: '\u2066fiber' });
    expect(shown(main)).toEqual({ System: 'a\uFFFDgro.live', Link: '\uFFFDfiber' });
    expect(filters(main)).toEqual(['os=a\u202Egro.live', 'connection=other']);
  });
});
