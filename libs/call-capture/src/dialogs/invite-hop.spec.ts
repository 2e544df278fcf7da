import { request } from '../../test/sip-messages.js';
import { readSip } from '../sip/read-sip.js';
import { hopOfInvite, isNearerToCaller, type InviteHop, type PacketHosts } from './invite-hop.js';

function hop(at: number, hosts: PacketHosts, ...headers: string[]): InviteHop {
  return hopOfInvite(readSip(request('INVITE', { headers })), at, hosts);
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
      expect(isNearerToCaller(outer, inner, false)).toBe(true);
      expect(isNearerToCaller(inner, outer, false)).toBe(false);
    },
  );

  it('is the one whose packet went to where the other one came from, whichever was captured first', () => {
    const outer = hop(5, { source: '192.0.2.10', destination: '192.0.2.5' });
    const inner = hop(0, { source: '192.0.2.5', destination: '192.0.2.20' });
    expect(isNearerToCaller(outer, inner, false)).toBe(true);
    expect(isNearerToCaller(inner, outer, false)).toBe(false);
  });
});
