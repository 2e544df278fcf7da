import { EventEmitter } from 'node:events';
import { ConnectionsByAddress } from './connections-by-address.js';

describe('the connections of each address', () => {
  it('are limited for each address independently', () => {
    const connections = new ConnectionsByAddress(2);
    const addresses = ['192.0.2.1', '192.0.2.1', '::ffff:192.0.2.1', '192.0.2.2'];
    expect(addresses.map((address) => connections.add(new EventEmitter(), address))).toEqual([true, true, false, true]);
  });

  it('are limited for an IPv6 network as a whole, because one client has all its addresses', () => {
    const connections = new ConnectionsByAddress(1);
    const addresses = ['2001:db8:1:2::1', '2001:db8:1:2:3::1', '2001:db8:1:3::1'];
    expect(addresses.map((address) => connections.add(new EventEmitter(), address))).toEqual([true, false, true]);
  });

  it('can be replaced by others when they close', () => {
    const connections = new ConnectionsByAddress(1);
    const first = new EventEmitter();
    connections.add(first, '192.0.2.1');
    expect(connections.add(new EventEmitter(), '192.0.2.1')).toBe(false);
    first.emit('close');
    expect(connections.add(new EventEmitter(), '192.0.2.1')).toBe(true);
  });
});
