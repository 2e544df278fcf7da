import { anna, ben, example, stream } from '../../../test/call-examples.js';
import type { FeedRecord } from '../feed-record.js';
import { fold } from '../fold.js';
import { callRoles } from './call-roles.js';

const carl = { id: 'c3', uri: 'sip:carl@example.test' };

function rolesOf(...records: readonly FeedRecord[]): readonly [string | undefined, readonly (string | undefined)[]] {
  const { caller, callees } = callRoles(fold([], records).call);
  return [caller?.uri, callees.map(({ uri }) => uri)];
}

describe('the caller and the callees', () => {
  const invite = example([{ kind: 'invite', caller: anna, callee: ben }]);

  it('are those of the first invitation, whatever is received first', () => {
    const answer = example([stream('audio', ben, anna), stream('audio', anna, ben)], { at: '00:05' });
    const back = example([{ kind: 'invite', caller: ben, callee: anna }], { at: '00:09', connection: { cseq: 7 } });
    expect(rolesOf(back, answer, invite)).toEqual([anna.uri, [ben.uri]]);
  });

  it('are all who were called, of a forked call', () => {
    const fork = example([{ kind: 'invite', caller: anna, callee: carl }], { at: '00:01' });
    expect(rolesOf(invite, fork)).toEqual([anna.uri, [ben.uri, carl.uri]]);
  });

  it('are in the order of the records where there is no invitation', () => {
    expect(rolesOf(example([stream('audio', ben, anna)]))).toEqual([ben.uri, [anna.uri]]);
  });

  it('are unknown where no party is', () => {
    expect(callRoles({ parties: [] })).toEqual({ caller: undefined, callees: [] });
  });
});
