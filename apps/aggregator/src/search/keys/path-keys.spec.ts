import type { Call } from '../../calls/call.js';
import { callPathValues, pathValueText } from './path-keys.js';

/** Written by hand: the fields of a party and the kinds of search keys that have them. */
const EXPECTED: readonly (readonly [string, string])[] = [
  ['device', 'Headset'],
  ['device', 'Speaker'],
  ['driver', 'usb 3'],
  ['driver', 'hda 1'],
  ['driver', 'iwl 7'],
  ['os', 'Debian 13'],
  ['relay', '192.0.2.7'],
  ['trunk', 'trunk1'],
  ['tenantId', '4f1c'],
  ['ssid', 'Corp'],
  ['bssid', '9C-3D-CF-20-03-0C'],
  ['mac', '00-00-5E-00-53-01'],
  ['dscp', '46'],
  ['dscp', '0'],
  ['vpn', 'true'],
  ['inside', 'false'],
  ['category', 'conference'],
  ['mediaBypass', 'true'],
];

const party = {
  captureDevice: 'Headset',
  renderDevice: 'Speaker',
  captureDeviceDriver: 'usb 3',
  renderDeviceDriver: 'hda 1',
  wifiDriver: 'iwl 7',
  os: 'Debian 13',
  trunk: 'trunk1',
  tenantId: '4f1c',
  ssid: 'Corp',
  bssid: '9C-3D-CF-20-03-0C',
  mac: '00-00-5E-00-53-01',
  dscpInbound: 46,
  dscpOutbound: 0,
  vpn: true,
  inside: false,
};

function examplePathValues(parts: object): readonly (readonly [string, string])[] {
  const call = { details: {}, parties: [], streams: [], ...parts };
  return callPathValues(call as unknown as Call); // oxlint-disable-line typescript/no-unsafe-type-assertion -- only these parts are read
}

function written(values: readonly (readonly [string, string])[]): readonly string[] {
  return values.map(([kind, text]) => `${kind} ${text}`).toSorted();
}

describe('what calls are found by of devices and paths', () => {
  it('is every such field of parties, endpoints and details', () => {
    const found = examplePathValues({
      details: { dialogCategory: 'conference', mediaBypass: true },
      parties: [party],
      streams: [{ from: { relay: '192.0.2.7' }, to: null }],
    });
    expect(written(found)).toEqual(written(EXPECTED));
  });

  it('has each value once', () => {
    expect(examplePathValues({ parties: [{ os: 'Debian 13' }, { os: 'Debian 13' }, { os: 'debian 13' }] })).toEqual([
      ['os', 'Debian 13'],
      ['os', 'debian 13'],
    ]);
  });

  it('leaves out code points that IP does not have', () => {
    expect(examplePathValues({ parties: [{ dscpInbound: 64, dscpOutbound: -1 }] })).toEqual([]);
  });

  it('has numbers of other filters as they are', () => {
    expect(pathValueText(5_180, {})).toBe('5180');
    expect(pathValueText(64, { possible: { least: 1, most: 200 } })).toBe('64');
    expect(pathValueText(201, { possible: { least: 1, most: 200 } })).toBeUndefined();
  });

  it('is limited', () => {
    const parties = Array.from({ length: 100 }, (_, index) => ({ os: `os ${index}` }));
    expect(examplePathValues({ parties })).toHaveLength(64);
  });
});
