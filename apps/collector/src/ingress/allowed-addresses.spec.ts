import { setting } from '@ringdown/settings';
import { AllowedAddresses, PRIVATE_NETWORKS } from './allowed-addresses.js';

function allowed(text: string): AllowedAddresses {
  return new AllowedAddresses(setting.networks('ALLOW', { about: '' }).parse(text));
}

describe('the list of allowed addresses', () => {
  it('allows every address when something else decides', () => {
    expect(new AllowedAddresses('all').allows('192.0.2.1')).toBe(true);
    expect(new AllowedAddresses('all').allows(undefined)).toBe(true);
  });

  it('allows this machine and private networks by default, and no public address', () => {
    const list = new AllowedAddresses(PRIVATE_NETWORKS);
    const inside = ['127.0.0.1', '10.1.2.3', '172.31.0.9', '192.168.7.1', '::1', 'fd00::7', '::ffff:10.0.0.1'];
    const outside = ['192.0.2.1', '172.32.0.1', '11.0.0.1', '2001:db8::1', '::ffff:203.0.113.1', ''];
    expect(inside.filter((address) => !list.allows(address))).toEqual([]);
    expect(outside.filter((address) => list.allows(address))).toEqual([]);
  });

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
  ])('with %s allows %s: %s', (list, address, expected) => {
    expect(allowed(list).allows(address)).toBe(expected);
  });

  it('does not allow a sender whose address is not known', () => {
    expect(allowed('0.0.0.0/0').allows(undefined)).toBe(false);
  });
});
