import { metricName, formatMetric } from './metrics.js';

describe('metrics', () => {
  it('have readable names and units if known', () => {
    expect([metricName('PacketLossRate'), formatMetric('PacketLossRate', 0.0625)]).toEqual([
      'Packet loss',
      '6.25\u00A0%',
    ]);
    expect(formatMetric('RoundTrip', 212.4)).toBe('212\u00A0ms');
    expect(formatMetric('LowFrameRateCallPercent', 7.25)).toBe('7.25\u00A0%');
    expect(formatMetric('AppliedBandwidthLimit', 1_500_000)).toBe('1.5\u00A0Mbit/s');
    expect(formatMetric('RecvFrameRateAverage', 14.96)).toBe('15/s');
  });

  it('keep their names and values if unknown', () => {
    expect([metricName('Fancy'), formatMetric('Fancy', 3), formatMetric('Fancy', 'new')]).toEqual([
      'Fancy',
      '3',
      'new',
    ]);
  });

  it('have the unit of the API if the catalogue has none', () => {
    expect(formatMetric('HealerPacketDropRatio', 0.0125, 'ratio')).toBe('1.25\u00A0%');
    expect(formatMetric('EchoReturn', -3, 'dB')).toBe('-3\u00A0dB');
    expect(formatMetric('Fancy', 3, null)).toBe('3');
  });

  it('are not rounded to zero', () => {
    expect(formatMetric('PacketLossRate', 0.000_04)).toBe('0.004\u00A0%');
    expect(formatMetric('PacketLossRate', 1e-9)).toBe('< 0.001\u00A0%');
    expect(formatMetric('Fancy', -1e-9)).toBe('> \u22120.001');
    expect(formatMetric('PacketLossRate', 0)).toBe('0\u00A0%');
  });

  it.each(['constructor', '__proto__', 'toString'])('do not inherit the name %s', (name) => {
    expect([metricName(name), formatMetric(name, 0.5, 'ratio')]).toEqual([name, '50\u00A0%']);
  });
});
