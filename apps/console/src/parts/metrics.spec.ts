import { metricName, formatMetric } from './metrics.js';

describe('metrics', () => {
  it('have readable names and units if known', () => {
    expect([metricName('PacketLossRate'), formatMetric('PacketLossRate', 0.0625)]).toEqual(['Packet loss', '6.25 %']);
    expect(formatMetric('RoundTrip', 212.4)).toBe('212 ms');
    expect(formatMetric('LowFrameRateCallPercent', 7.25)).toBe('7.25 %');
    expect(formatMetric('AppliedBandwidthLimit', 1_500_000)).toBe('1.5 Mbit/s');
    expect(formatMetric('RecvFrameRateAverage', 14.96)).toBe('15/s');
  });

  it('keep their names and values if unknown', () => {
    expect([metricName('Fancy'), formatMetric('Fancy', 3), formatMetric('Fancy', 'new')]).toEqual([
      'Fancy',
      '3',
      'new',
    ]);
  });
});
