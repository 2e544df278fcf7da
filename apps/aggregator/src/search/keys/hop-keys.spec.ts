import type { Call } from '../../calls/call.js';
import { callHops, hopName } from './hop-keys.js';

function hopsOf(parts: object): readonly string[] {
  const call = { feeds: [], frontEnds: [], parties: [], streams: [], end: null, ...parts };
  return callHops(call as unknown as Call); // oxlint-disable-line typescript/no-unsafe-type-assertion -- only these parts are read
}

describe('the servers of a call', () => {
  it('are who reported it, gateways, those in Via and the one that refused it, each once', () => {
    const hops = hopsOf({
      feeds: ['FE1.example.test'],
      frontEnds: ['fe1.example.test', 'fe2.example.test'],
      parties: [{ ip: '10.1.2.3' }, { ip: '10.10.9.21', trunk: 'nordtel' }],
      streams: [
        { via: ['SIP/2.0/TLS 10.7.0.1:5061;branch=z9hG4bK1', 'SIP/2.0/UDP [2001:db8::7]:5060;branch=z9'] },
        { via: ['sbc1.example.test', ''] },
        {},
      ],
      end: { refusedBy: { hop: '10.10.9.21:5060', trunk: null } },
    });
    expect(hops).toEqual([
      'fe1.example.test',
      'fe2.example.test',
      '10.10.9.21',
      '10.7.0.1',
      '2001:db8::7',
      'sbc1.example.test',
    ]);
  });

  it('are neither operators who uploaded a capture nor subjects of certificates', () => {
    expect(hopsOf({ feeds: ['upload~carol~capture', 'CN=Anna,O=Example'], frontEnds: ['fe1'] })).toEqual(['fe1']);
  });

  it('are limited', () => {
    expect(hopsOf({ frontEnds: Array.from({ length: 100 }, (_, index) => `fe${index}`) })).toHaveLength(64);
  });

  it.each([
    ['10.0.0.9:5060', '10.0.0.9'],
    ['GW.example.test', 'gw.example.test'],
    ['[2001:DB8::9]:5060', '2001:db8::9'],
    ['[2001:db8::9', '2001:db8::9'],
    ['2001:db8::9', '2001:db8::9'],
    [' fe1 ', 'fe1'],
  ])('are named without their port: %s', (written, name) => {
    expect(hopName(written)).toBe(name);
  });
});
