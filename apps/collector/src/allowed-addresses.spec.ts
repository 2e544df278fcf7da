import { setting } from '@ringdown/settings';
import { AllowedAddresses } from './allowed-addresses.js';

function allowed(text: string): AllowedAddresses {
  return new AllowedAddresses(setting.networks('ALLOW', { about: '' }).parse(text));
}

describe('the list of allowed addresses', () => {
  it('lets everybody in where there is none', () => {
    expect(new AllowedAddresses(undefined).allows('192.0.2.1')).toBe(true);
    expect(new AllowedAddresses(undefined).allows(undefined)).toBe(true);
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
  ])('%s and %s: %s', (list, address, expected) => {
    expect(allowed(list).allows(address)).toBe(expected);
  });

  it('lets nobody in whose address is not known', () => {
    expect(allowed('0.0.0.0/0').allows(undefined)).toBe(false);
  });
});
