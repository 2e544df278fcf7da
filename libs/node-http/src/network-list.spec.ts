import { setting } from '@ringdown/settings';
import { NetworkList } from './network-list.js';

function parsedNetworks(text: string): NetworkList {
  return new NetworkList(setting.networks('ALLOW', { task: 'operation', about: '' }).parse(text));
}

describe('a list of networks', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['192.0.2.0/24', '192.0.2.255', true],
    ['192.0.2.0/24', '192.0.3.0', false],
    ['192.0.2.77/24', '192.0.2.1', true],
    ['0.0.0.0/0', '203.0.113.9', true],
    ['10.0.0.0/8, 192.0.2.1', '192.0.2.1', true],
    ['192.0.2.0/24', '::ffff:192.0.2.7', true],
    ['192.0.2.0/24', '::ffff:192.0.3.7', false],
    ['2001:db8::/32', '2001:db8:1::9', true],
    ['2001:db8::/32', '2001:db9::1', false],
    ['::1', '0:0:0:0:0:0:0:1', true],
    ['2001:db8::/32', '192.0.2.1', false],
    ['192.0.2.0/24', '2001:db8::1', false],
    ['192.0.2.0/24', 'somewhere', false],
  ])('of %s contains %s: %s', (list, address, expected) => {
    expect(parsedNetworks(list).has(address)).toBe(expected);
  });

  it('does not contain an address that is not known', () => {
    expect(parsedNetworks('0.0.0.0/0').has(undefined)).toBe(false);
  });
});
