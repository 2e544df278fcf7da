import { leaderProblem, replicasBehind, type StreamCluster } from './stream-health.js';

const now = { name: 'two', current: true, active: 1_000_000, offline: false, lag: 0, peer: '' };
const gone = { ...now, name: 'three', current: false, active: 12_000_000_000 };
const late = { ...now, name: 'three', current: false, active: 1_000_000, lag: 900 };

describe('a stream', () => {
  it.each<[string, StreamCluster | undefined, string | undefined]>([
    ['on a single server works', undefined, undefined],
    ['with one replica works', { leader: 'one' }, undefined],
    ['without a leader does not', { replicas: [now, gone] }, 'the stream RECORDS has no leader'],
    ['with two of three servers works', { leader: 'one', replicas: [now, gone] }, undefined],
    ['whose others catch up works', { leader: 'one', replicas: [late, late] }, undefined],
    [
      'whose others are gone does not',
      { leader: 'one', replicas: [gone, gone] },
      'the stream RECORDS has only 1 of its 3 servers',
    ],
  ])('%s', (_, cluster, problem) => {
    expect(leaderProblem('RECORDS', cluster)).toBe(problem);
  });

  it('names the servers that are not up to date', () => {
    expect(replicasBehind({ leader: 'one', replicas: [now, late] })).toEqual(['three']);
    expect(replicasBehind(undefined)).toEqual([]);
  });
});
