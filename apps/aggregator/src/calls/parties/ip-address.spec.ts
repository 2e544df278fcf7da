import { ipAddress, subnet, subnetKey, type Subnet } from './ip-address.js';

describe('an IP address', () => {
  it.each([
    ['10.0.0.1', '4-a000001/32'],
    [' 192.168.255.254 ', '4-c0a8fffe/32'],
    ['::', '6-0/128'],
    ['::1', '6-1/128'],
    ['2001:db8::1', '6-20010db8000000000000000000000001/128'],
    ['2001:0DB8:0:0:0:0:0:1', '6-20010db8000000000000000000000001/128'],
    ['fe80::1%eth0', '6-fe800000000000000000000000000001/128'],
    ['::ffff:10.0.0.1', '4-a000001/32'],
    ['::ffff:0a00:0001', '4-a000001/32'],
    ['64:ff9b::10.0.0.1', '6-64ff9b00000000000000000a000001/128'],
  ])('%s has the same key in every spelling', (text, key) => {
    const address = ipAddress(text);
    expect(address && subnetKey({ address, length: address.family === 4 ? 32 : 128 })).toBe(key);
  });

  it.each(['', 'anna', '10.0.0', '10.0.0.256', '1::2::3', '10.0.0.1:5060', '0x0a000001', '10.0.0.1\0'])(
    'is not %j',
    (text) => {
      expect(ipAddress(text)).toBeUndefined();
    },
  );
});

describe('a subnet', () => {
  const keyOf = (text: string): string | undefined => {
    const found: Subnet | undefined = subnet(text);
    return found && subnetKey(found);
  };

  it.each([
    ['10.1.0.0/16', '4-a01/16'],
    ['10.1.255.3/16', '4-a01/16'],
    ['0.0.0.0/0', '4-0/0'],
    ['10.0.0.1', '4-a000001/32'],
    ['2001:db8::/32', '6-20010db8/32'],
    ['::/0', '6-0/0'],
    ['::ffff:10.1.0.0/112', '4-a01/16'],
  ])('%s has the key that all its addresses share', (text, key) => {
    expect(keyOf(text)).toBe(key);
  });

  it.each([
    '',
    '/',
    '10.0.0.0/',
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/1.5',
    '10.0.0.0/8/8',
    '::/129',
    '::ffff:1.2.3.4/95',
    'x/8',
  ])('is not %j', (text) => {
    expect(subnet(text)).toBeUndefined();
  });
});
