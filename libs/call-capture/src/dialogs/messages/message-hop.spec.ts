import { request } from '../../../test/sip-messages.js';
import { readSip } from '../../sip/read-sip.js';
import { messageHop, isNearer, type MessageHop, type PacketHosts } from './message-hop.js';

function hop(at: number, hosts: PacketHosts, ...headers: string[]): MessageHop {
  return messageHop(readSip(request('INVITE', { headers, branch: `z9hG4bK-${at}` })), at, hosts);
}

describe('the INVITE that is nearer to the caller', () => {
  it.each([
    ['Max-Forwards', ['Max-Forwards: 69']],
    ['no Max-Forwards', []],
  ])(
    'is the first one, with %s, before a border controller with two addresses that writes Max-Forwards anew',
    (_what, headers) => {
      const outer = hop(0, { source: '192.0.2.10', destination: '192.0.2.5' }, ...headers);
      const inner = hop(2, { source: '192.0.2.6', destination: '192.0.2.20' }, 'Max-Forwards: 70');
      expect(isNearer(outer, inner)).toBe(true);
      expect(isNearer(inner, outer)).toBe(false);
    },
  );

  it('is the one with fewer Via if the last one is the same', () => {
    const inner = hop(0, {}, 'Via: SIP/2.0/UDP 192.0.2.10:5060;branch=z9hG4bK-0');
    const outer = messageHop(readSip(request('INVITE')), 5, {});
    expect(isNearer(outer, inner)).toBe(true);
    expect(isNearer(inner, outer)).toBe(false);
  });

  it('is the first one, also with more Via, before a hop that removes those of others', () => {
    const outer = hop(0, {}, 'Via: SIP/2.0/UDP 192.0.2.66:5060;branch=z9hG4bK-0');
    const inner = hop(2, {});
    expect(isNearer(outer, inner)).toBe(true);
    expect(isNearer(inner, outer)).toBe(false);
  });

  it('is the one whose packet went to where the other one came from, whichever was captured first', () => {
    const outer = hop(5, { source: '192.0.2.10', destination: '192.0.2.5' });
    const inner = hop(0, { source: '192.0.2.5', destination: '192.0.2.20' });
    expect(isNearer(outer, inner)).toBe(true);
    expect(isNearer(inner, outer)).toBe(false);
  });
});
