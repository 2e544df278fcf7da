import { request } from '../../test/sip-messages.js';
import { readSip } from './read-sip.js';
import { viaBranches } from './vias.js';

describe('the branches of the Via of a message', () => {
  it('are those of all headers and of all values in them, the newest first', () => {
    const headers = [
      'Via: SIP/2.0/UDP b ; Branch = z2;received=192.0.2.1, SIP/2.0/TCP c;branch=z3',
      'v: SIP/2.0/UDP d:1',
    ];
    expect(viaBranches(readSip(request('INVITE', { branch: 'z1', headers })))).toEqual([
      'z1',
      'z2',
      'z3',
      'SIP/2.0/UDP d:1',
    ]);
  });

  it('are 16 of 256 characters at most', () => {
    const many = Array.from({ length: 200 }, () => `SIP/2.0/UDP a;branch=${'z'.repeat(9)}`).join(',');
    const long = `SIP/2.0/UDP a;branch=${'z'.repeat(900)}`;
    const branches = viaBranches(readSip(request('INVITE', { headers: [`Via: ${long}`, `Via: ${many}`] })));
    expect(branches.map(({ length }) => length).slice(0, 3)).toEqual([9, 256, 9]);
    expect(branches).toHaveLength(16);
  });
});
