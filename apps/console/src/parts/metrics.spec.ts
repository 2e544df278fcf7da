import { metricName, shownMetric } from './metrics.js';

describe('metrics', () => {
  it('have words and units where they are known', () => {
    expect([metricName('PacketLossRate'), shownMetric('PacketLossRate', 0.0625)]).toEqual(['Packet loss', '6.25 %']);
    expect(shownMetric('RoundTrip', 212.4)).toBe('212 ms');
    expect(shownMetric('LowFrameRateCallPercent', 7.25)).toBe('7.25 %');
    expect(shownMetric('AppliedBandwidthLimit', 1_500_000)).toBe('1.5 Mbit/s');
    expect(shownMetric('RecvFrameRateAverage', 14.96)).toBe('15/s');
  });

  it('are shown as they came where they are not', () => {
    expect([metricName('Fancy'), shownMetric('Fancy', 3), shownMetric('Fancy', 'new')]).toEqual(['Fancy', '3', 'new']);
  });
});
