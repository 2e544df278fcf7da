import type { LoadItem, LoadOfValue, LoadStatistics, TrunkLimit } from '../api/answers.js';
import { capacityRows, chartedValues, loadBuckets, valuesToAskFor, withToggled } from './capacity-rows.js';

function loadOf(value: string | null): LoadOfValue {
  return {
    value,
    peak: { calls: 1, at: '2026-11-02T10:00:00.000Z' },
    p95: { calls: 0, averageBandwidth: 0 },
    bandwidthPeak: { averageBandwidth: 0, at: null },
    attempts: 1,
    attemptsPeak: { perSecond: 0, at: null },
    limit: null,
    minutesAboveLimit: null,
  };
}

function limitOf(trunk: string): TrunkLimit {
  return { trunk, calls: 30, etag: '1', changedAt: '2026-11-02T10:00:00.000Z' };
}

describe('values to ask for by name', () => {
  it.each([
    [0, ['c'], []],
    [5, ['a', 'c', 'c'], ['c']],
  ])('with %d left out and %j wanted are %j', (valuesLeftOut, wanted, asked) => {
    expect(valuesToAskFor({ values: [loadOf('a'), loadOf(null)], valuesLeftOut }, wanted)).toEqual(asked);
  });
});

describe('the rows of the table', () => {
  it('are the values with calls, and trunks with a limit that had none', () => {
    const rows = capacityRows([loadOf('a'), loadOf(null)], [limitOf('a'), limitOf('idle')]);
    expect(rows.map(({ value, peak, limit }) => [value, peak.calls, limit])).toEqual([
      ['a', 1, null],
      [null, 1, null],
      ['idle', 0, 30],
    ]);
  });
});

describe('the values with a chart', () => {
  const rows = [null, 'a', 'b', 'c', 'd', 'e'].map(loadOf);

  it('are the first four whose name is known, until others are chosen', () => {
    expect(chartedValues(rows, [])).toEqual(['a', 'b', 'c', 'd']);
    expect(chartedValues(rows, ['e', 'gone'])).toEqual(['e', 'gone']);
    expect(chartedValues([loadOf(null)], [])).toEqual([]);
  });

  it('are chosen one by one', () => {
    expect(withToggled(['a', 'b'], 'a')).toEqual(['b']);
    expect(withToggled(['a', 'b'], 'e')).toEqual(['a', 'b', 'e']);
  });
});

describe('the buckets of a value', () => {
  it('are all of the period, also those that the answer leaves out', () => {
    const item = (at: string, value: string, calls: number): LoadItem => ({
      at,
      value,
      calls,
      averageBandwidth: 0,
      maximumBandwidth: 0,
      attempts: 0,
      attemptsPerSecond: 0,
    });
    const answer: LoadStatistics = {
      from: '2026-11-02T10:00:00.000Z',
      to: '2026-11-02T10:15:00.000Z',
      bucketSeconds: 300,
      by: 'trunk',
      values: [],
      valuesLeftOut: 0,
      items: [item('2026-11-02T10:05:00.000Z', 'a', 3), item('2026-11-02T10:10:00.000Z', 'b', 2)],
    };
    expect(loadBuckets(answer, 'a').map(({ calls }) => calls)).toEqual([0, 3, 0]);
  });
});
