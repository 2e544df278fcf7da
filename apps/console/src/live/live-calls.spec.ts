import { jest } from '@jest/globals';
import type { Call, CallState, Verdict } from '../api/answers.js';
import { countFacets, filterByFacets, NO_FACETS, toggleFacet } from './facets.js';
import { LiveCallList } from './live-calls.js';

const START = Date.parse('2026-11-21T12:00:00Z');

interface Example {
  readonly version?: number;
  readonly state?: CallState;
  readonly verdict?: Verdict;
  /** Seconds after the start of all. */
  readonly began?: number;
  readonly frontEnds?: readonly string[];
  readonly cause?: Call['cause'];
}

function call(
  callId: string,
  { version = 1, state = 'active', verdict = 'unknown', began = 0, frontEnds = [], cause = null }: Example = {},
): Call {
  const at = new Date(START + began * 1000).toISOString();
  const nothing = { cause, duration: null, settlesAt: null, conversationId: null, conferenceId: null };
  return {
    ...nothing,
    callId,
    version,
    state,
    verdict,
    frontEnds,
    beganAt: at,
    firstReceivedAt: at,
    lastReceivedAt: at,
    startedAt: at,
    endedAt: null,
    endReason: null,
    end: null,
    invitedAt: null,
    setupSeconds: null,
    ringSeconds: null,
    postDialSeconds: null,
    feeds: [],
    pools: [],
    details: {},
    coverage: 'none',
    partial: false,
    lateRecords: 0,
    clocks: [],
    correlationId: null,
    parties: [],
    streams: [],
    errors: [],
    quality: [],
  };
}

const listedCallIds = (live: LiveCallList, now = START): readonly string[] =>
  live.commit(now).rows.map(({ callId }) => callId);

describe('LiveCallList', () => {
  it('sorts bad calls first, then failed, poor and others, the newest first among equals', () => {
    const live = new LiveCallList();
    const calls = [
      call('old', { began: 1 }),
      call('poor', { verdict: 'poor' }),
      call('new', { began: 9, verdict: 'good' }),
      call('failed', { state: 'failed' }),
      call('bad', { verdict: 'bad' }),
    ];
    live.replace({ calls, total: 5 }, START);
    expect(listedCallIds(live)).toEqual(['bad', 'failed', 'poor', 'new', 'old']);
  });

  it('sorts bad calls by how far they are beyond their threshold, whatever the metric', () => {
    const live = new LiveCallList();
    const cause = (metric: string, value: number, threshold: number): Call['cause'] => {
      const where = { mediaType: 'audio', from: null, to: null };
      return { ...where, metric, value, threshold, thresholdFrom: 'profile' };
    };
    const bad = (callId: string, reason: Call['cause']): Call => call(callId, { verdict: 'bad', cause: reason });
    const calls = [
      bad('loss', cause('PacketLossRate', 0.2, 0.1)),
      bad('mos', cause('OverallAvgNetworkMOS', 1, 3)),
      bad('frames', cause('RecvFrameRateAverage', 0, 7)),
      bad('jitter', cause('JitterInterArrival', 75, 30)),
    ];
    live.replace({ calls, total: 4 }, START);
    expect(listedCallIds(live)).toEqual(['frames', 'mos', 'jitter', 'loss']);
  });

  it('names missing audio as the problem, and sorts it before all metrics', () => {
    const live = new LiveCallList();
    const audio = { heard: 'oneWay', evidence: 'noPackets', from: null, to: null } as const;
    const cause = {
      mediaType: 'audio',
      from: null,
      to: null,
      metric: 'RoundTrip',
      value: 900,
      threshold: 500,
    } as const;
    const slow = call('slow', { verdict: 'bad', cause: { ...cause, thresholdFrom: 'profile' } });
    const mute = { ...call('mute', { verdict: 'bad' }), audio };
    live.replace({ calls: [slow, mute], total: 2 }, START);
    expect(live.commit(START).rows.map(({ trouble }) => trouble)).toEqual(['one-way audio', 'Round trip 900\u00a0ms']);
  });

  it('has no counts before the first snapshot', () => {
    const live = new LiveCallList();
    expect(live.isKnown).toBe(false);
    live.replace({ calls: [], total: 0 }, START);
    expect(live.isKnown).toBe(true);
  });

  it('keeps unchanged rows in the next snapshot, and the snapshot itself without a change', () => {
    const live = new LiveCallList();
    live.replace({ calls: [call('a'), call('b')], total: 2 }, START);
    const before = live.commit(START);
    expect(live.commit(START)).toBe(before);
    live.upsert(call('b', { version: 2, verdict: 'bad' }), START);
    const after = live.commit(START);
    expect(after.rows[1]).toBe(before.rows[0]);
    expect(after.rows[0]).not.toBe(before.rows[1]);
  });

  it('ignores older versions of a call', () => {
    const live = new LiveCallList();
    live.upsert(call('a', { version: 3, state: 'held' }), START);
    live.upsert(call('a', { version: 2 }), START);
    expect(live.commit(START).rows[0]?.state).toBe('held');
  });

  it('removes calls some time after their end, bad ones later', () => {
    const live = new LiveCallList();
    live.upsert(call('good', { state: 'ended', verdict: 'good' }), START);
    live.upsert(call('bad', { state: 'ended', verdict: 'bad' }), START);
    expect(live.commit(START)).toMatchObject({ inProgress: 0, listed: 0 });
    expect(listedCallIds(live, START + 14_000)).toEqual(['bad', 'good']);
    expect(listedCallIds(live, START + 16_000)).toEqual(['bad']);
    expect(listedCallIds(live, START + 301_000)).toEqual([]);
  });

  it('limits the number of ended bad calls while nothing is drawn', () => {
    const live = new LiveCallList();
    for (let n = 0; n < 3_000; n++) live.upsert(call(`c${n}`, { state: 'failed' }), START);
    const ids = listedCallIds(live);
    expect(ids).toHaveLength(1_000);
    expect(ids).toContain('c2999');
  });

  it('forgets calls that came and went while nothing is drawn', () => {
    const live = new LiveCallList();
    const commits = jest.spyOn(live, 'commit');
    for (let n = 0; n < 50_000; n++) live.upsert(call(`c${n}`, { state: 'failed' }), START);
    expect(commits).toHaveBeenCalledTimes(2);
    expect(listedCallIds(live)).toHaveLength(1_000);
  });

  it('ends calls that are missing in a new snapshot', () => {
    const live = new LiveCallList();
    live.replace({ calls: [call('a'), call('b')], total: 2 }, START);
    live.replace({ calls: [call('b'), call('c')], total: 2 }, START);
    expect(listedCallIds(live)).toEqual(['b', 'c']);
  });

  it('counts calls beyond the snapshot until the pages and the stream have listed them', () => {
    const live = new LiveCallList();
    live.upsert(call('gone'), START);
    live.replace({ calls: [call('a', { began: 5 })], total: 4 }, START);
    expect(live.isWhole).toBe(false);
    expect(live.commit(START).inProgress).toBe(4);
    live.upsert(call('b', { version: 2, began: 4 }), START);
    live.upsert(call('new', { began: 6 }), START);
    live.upsert(call('c', { began: 3 }), START, false);
    live.upsert(call('d', { began: 2 }), START, false);
    live.endFill();
    expect(live.commit(START)).toMatchObject({ inProgress: 5, listed: 5 });
    expect(listedCallIds(live)).toEqual(['new', 'a', 'b', 'c', 'd']);
    expect(live.isWhole).toBe(true);
  });

  it('counts a call once that was listed before a new snapshot and is in its total', () => {
    const live = new LiveCallList();
    const [a, b, c] = [call('a', { began: 3, verdict: 'bad' }), call('b', { began: 2 }), call('c', { began: 1 })];
    live.replace({ calls: [a, b, c], total: 3 }, START);
    const counts = { states: { active: 3 }, verdicts: { bad: 1, unknown: 2 }, frontEnds: {} };
    live.replace({ calls: [a], total: 3, counts }, START);
    const counted = (): readonly unknown[] => {
      const { rows, inProgress, unlisted } = live.commit(START);
      return [inProgress, Object.fromEntries(countFacets(rows, unlisted).verdicts)];
    };
    expect(counted()).toEqual([3, { bad: 1, unknown: 2 }]);
    for (const page of [a, b, c]) live.upsert(page, START, false);
    expect(counted()).toEqual([3, { bad: 1, unknown: 2 }]);
    live.endFill();
    expect(counted()).toEqual([3, { bad: 1, unknown: 2 }]);
    expect(live.isWhole).toBe(true);
  });

  it('counts a call that begins after a snapshot, also when the stream left out its first version', () => {
    const live = new LiveCallList();
    live.replace({ calls: [call('a', { began: 5 })], total: 2 }, START);
    live.upsert(call('new', { version: 2, began: 6 }), START);
    expect(live.commit(START)).toMatchObject({ inProgress: 3, listed: 2 });
    live.upsert(call('old', { version: 2, began: 1 }), START);
    expect(live.commit(START)).toMatchObject({ inProgress: 3, listed: 3 });
  });

  it('has exact counts of kinds before the pages have listed all calls', () => {
    const live = new LiveCallList();
    const counts = { states: { active: 3, held: 1 }, verdicts: { bad: 2, unknown: 2 }, frontEnds: { x: 3, y: 1 } };
    live.replace({ calls: [call('a', { verdict: 'bad', frontEnds: ['x'] })], total: 4, counts }, START);
    const counted = (): Record<string, Record<string, number>> => {
      const { rows, unlisted } = live.commit(START);
      const { states, verdicts, frontEnds } = countFacets(rows, unlisted);
      const shown = { states, verdicts, frontEnds };
      return Object.fromEntries(Object.entries(shown).map(([kind, each]) => [kind, Object.fromEntries(each)]));
    };
    expect(counted()).toEqual(counts);
    live.upsert(call('b', { state: 'held', frontEnds: ['y'] }), START, false);
    expect(counted()).toEqual(counts);
    live.upsert(call('new', { frontEnds: ['z'] }), START);
    const more = { states: { active: 4, held: 1 }, verdicts: { bad: 2, unknown: 3 }, frontEnds: { x: 3, y: 1, z: 1 } };
    expect(counted()).toEqual(more);
    live.upsert(call('c', { verdict: 'bad', frontEnds: ['x'] }), START, false);
    live.upsert(call('d', { frontEnds: ['x'] }), START, false);
    live.endFill();
    expect(counted()).toEqual(more);
  });

  it('counts and filters calls by state, verdict and front end', () => {
    const live = new LiveCallList();
    live.upsert(call('a', { verdict: 'bad', frontEnds: ['x', 'y'] }), START);
    live.upsert(call('b', { state: 'held', frontEnds: ['y'] }), START);
    live.upsert(call('over', { state: 'ended', frontEnds: ['y'] }), START);
    const { rows } = live.commit(START);
    const counts = countFacets(rows);
    expect(counts.frontEnds).toEqual(
      new Map([
        ['x', 1],
        ['y', 2],
      ]),
    );
    expect(counts.verdicts.get('bad')).toBe(1);
    expect(filterByFacets(rows, NO_FACETS)).toBe(rows);
    const onlyY = toggleFacet(NO_FACETS, 'frontEnds', 'y');
    expect(filterByFacets(rows, toggleFacet(onlyY, 'states', 'held')).map(({ callId }) => callId)).toEqual(['b']);
    expect(toggleFacet(onlyY, 'frontEnds', 'y')).toEqual(NO_FACETS);
  });
});
