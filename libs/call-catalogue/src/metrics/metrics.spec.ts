import * as fc from 'fast-check';
import { AUDIO_ROWS } from './audio.js';
import { CAPTURED_ROWS } from './captured.js';
import type { MetricRow } from './metric-row.js';
import { boundsOf, isPossible, metricRow, METRICS, SCORE_ELEMENTS, metricUnit } from './metrics.js';
import { SHARING_ROWS } from './sharing.js';
import { STREAM_METRICS, WORST_METRICS } from './statistics.js';
import { STREAM_ROWS } from './streams.js';
import { VIDEO_ROWS } from './video.js';

describe('isPossible', () => {
  it.each([
    ['PacketLossRate', 0, true],
    ['PacketLossRate', 1, true],
    ['PacketLossRate', 1.01, false],
    ['VideoPacketLossRate', -0.01, false],
    ['RoundTrip', 29_999, true],
    ['RoundTrip', 65_535, false],
    ['JitterInterArrival', 425_711_448, false],
    ['CapturedJitterMax', 0.4, true],
    ['OverallAvgNetworkMOS', 12.7, false],
    ['RecvListenMOS', 127, false],
    ['RecvListenMOS', 0, false],
    ['DegradationAvg', 127, false],
    ['DegradationAvg', 0, true],
    ['DegradationJitterAvg', 0.5, true],
    ['RatioConcealedSamplesAvg', 1.5, false],
    ['LowFrameRateCallPercent', 100.5, false],
    ['RecvFrameRateAverage', -1, false],
    ['AppliedBandwidthLimit', 64_000, true],
    ['Anything', -5, true],
    ['Anything', Number.NaN, false],
    ['Anything', Number.POSITIVE_INFINITY, false],
  ])('of %s with %d is %s', (metric, value, possible) => {
    expect(isPossible(metric, value)).toBe(possible);
  });

  it('holds for no negative value of a known metric but of levels and of what may be any number', () => {
    const metrics = Object.entries<MetricRow>(METRICS).filter(
      ([, { unit, possible }]) => unit !== 'dB' && possible !== null,
    );
    fc.assert(
      fc.property(fc.constantFrom(...metrics), fc.double({ max: -1e-9, noNaN: true }), ([metric], value) => {
        expect(isPossible(metric, value)).toBe(false);
      }),
    );
    expect(boundsOf('RecvNoiseLevel')).toEqual({ least: -127, most: 126 });
  });
});

describe('unitOf', () => {
  it.each([
    ['BurstDensity', 'ratio'],
    ['BurstGapDensity', 'ratio'],
    ['BurstDuration', 'ms'],
    ['BurstGapDuration', 'ms'],
    // As their thresholds, far above 1.
    ['RelativeOneWayBurstDensity', 'count'],
    ['RDPTileProcessingLatencyBurstDensity', 'count'],
    ['VideoPacketLossRate', 'ratio'],
    ['CapturedLate', 'count'],
    ['CaptureDevice', null],
    ['DegradationAvg', 'mos'],
    ['constructor', null],
  ])('of %s is %s', (metric, unit) => {
    expect(metricUnit(metric)).toBe(unit);
  });

  it.each([
    ['FutureJitterAvg', 'ms', 10_001],
    ['FutureLossRate', 'ratio', 1.1],
    ['FuturePacketRate', '1/s', -1],
    ['FutureListenMOS', 'mos', 5.1],
    ['FutureLatency', null, -1],
  ])('follows from parts of the name of %s, which no row has', (metric, unit, impossible) => {
    expect(metricUnit(metric)).toBe(unit);
    expect(isPossible(metric, impossible)).toBe(false);
  });

  it('is the same in a report as in statistics', () => {
    const rows = Object.values(STREAM_METRICS).flatMap(({ elements, unit }) =>
      elements.map((name): readonly [string, string] => [name, unit]),
    );
    expect(rows.map(([name]) => [name, metricUnit(name)])).toEqual(rows);
  });
});

describe('the rows', () => {
  it('are in one table each', () => {
    const tables = [STREAM_ROWS, AUDIO_ROWS, VIDEO_ROWS, SHARING_ROWS, CAPTURED_ROWS];
    expect(tables.flatMap((table) => Object.keys(table))).toEqual(Object.keys(METRICS));
  });

  it('have thresholds that can be measured', () => {
    const thresholds = Object.entries(METRICS).flatMap(([name, row]) =>
      'thresholds' in row
        ? Object.values(row.thresholds).flatMap(
            ({ optimal, acceptable }) =>
              [
                [name, optimal],
                [name, acceptable],
              ] as const,
          )
        : [],
    );
    expect(thresholds.filter(([name, value]) => !isPossible(name, value))).toEqual([]);
  });

  it('are judged as others that are there', () => {
    const others = Object.values<MetricRow>(METRICS).flatMap(({ judgedAs }) => judgedAs ?? []);
    expect(others.filter((name) => metricRow(name)?.thresholds === undefined)).toEqual([]);
  });

  it('have the scores of a stream in the order in which they count', () => {
    expect(SCORE_ELEMENTS).toEqual({
      listening: ['RecvListenMOS', 'SendListenMOS'],
      conversational: ['ConversationalMOS'],
      network: ['OverallAvgNetworkMOS'],
      computed: ['ComputedMOS'],
    });
  });

  it('find calls by their worst streams with four metrics', () => {
    expect(WORST_METRICS).toEqual(['loss', 'jitter', 'roundTrip', 'mos']);
  });
});
