import * as fc from 'fast-check';
import { boundsOf, isPossible } from './metric-bounds.js';

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

  it('holds for no negative value of a known metric but a level', () => {
    const metrics = fc.constantFrom('PacketLossRate', 'JitterInterArrival', 'RoundTrip', 'BurstDensity', 'Duration');
    fc.assert(
      fc.property(metrics, fc.double({ max: -1e-9, noNaN: true }), (metric, value) => {
        expect(isPossible(metric, value)).toBe(false);
      }),
    );
    expect(boundsOf('NoiseLevel')).toEqual({ least: -127, most: 126 });
  });
});
