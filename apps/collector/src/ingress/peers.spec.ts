import { NetworkList } from '@ringdown/node-http';
import { Socket } from 'node:net';
import { Peers, type Peer } from './peers.js';
import { PRIVATE_NETWORKS } from './private-networks.js';

function peerAt(remoteAddress: string | undefined, allowed: NetworkList | 'all'): Peer {
  return new Peers({ allowed, addressOf: () => remoteAddress }).of(new Socket());
}

describe('the sender on a connection', () => {
  it('is accepted from a listed address only', () => {
    const allowed = new NetworkList(PRIVATE_NETWORKS);
    expect(peerAt('10.1.2.3', allowed).isAllowed).toBe(true);
    expect(peerAt('192.0.2.1', allowed).isAllowed).toBe(false);
    expect(peerAt(undefined, allowed).isAllowed).toBe(false);
  });

  it('is accepted from every address when something else decides', () => {
    expect(peerAt('192.0.2.1', 'all').isAllowed).toBe(true);
    expect(peerAt(undefined, 'all').isAllowed).toBe(true);
  });

  it('keeps the address without the IPv6 prefix of sockets for both families', () => {
    expect(peerAt('::ffff:192.0.2.1', 'all').sentBy.remoteAddress).toBe('192.0.2.1');
  });
});
