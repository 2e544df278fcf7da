import { NetworkList } from '@ringdown/node-http';
import { PRIVATE_NETWORKS } from './private-networks.js';

describe('the networks that are allowed by default', () => {
  it('contain this machine and private networks, and no public address', () => {
    const list = new NetworkList(PRIVATE_NETWORKS);
    const inside = ['127.0.0.1', '10.1.2.3', '172.31.0.9', '192.168.7.1', '::1', 'fd00::7', '::ffff:10.0.0.1'];
    const outside = ['192.0.2.1', '172.32.0.1', '11.0.0.1', '2001:db8::1', '::ffff:203.0.113.1', ''];
    expect(inside.filter((address) => !list.has(address))).toEqual([]);
    expect(outside.filter((address) => list.has(address))).toEqual([]);
  });
});
