import { STREAM_METRIC_NAMES, STREAM_METRICS } from '@ringdown/call-catalogue/statistics';
import { fineBounds, streamMetrics } from './stream-metrics.js';
import { defaultThresholds } from './thresholds.js';

const report = { mediaType: 'audio', codecs: [], metrics: {}, assumedZero: [], withheld: null };

describe('metrics of a stream', () => {
  it('are those of its reports, and for video its own loss', () => {
    const metrics = {
      PacketLossRate: { value: 0.5 },
      VideoPacketLossRate: { value: 0.0123456789 },
      JitterInterArrival: { value: 4 },
      RoundTrip: { value: 0 },
    };
    expect(streamMetrics({ ...report, metrics })).toEqual({ loss: 0.012346, jitter: 4, roundTrip: 0 });
  });

  it('are zero when senders omit zeros, and unknown when the report does not contain them', () => {
    const clean = { ...report, metrics: { RoundTrip: { value: 20 } }, assumedZero: ['PacketLossRate'] };
    expect(streamMetrics(clean)).toEqual({ loss: 0, roundTrip: 20 });
    expect(streamMetrics(report)).toEqual({});
  });

  it('are also maxima, bursts, concealed samples and those of video', () => {
    const metrics = {
      PacketLossRateMax: { value: 0.2 },
      DegradationAvg: { value: 0.4 },
      RatioConcealedSamplesAvg: { value: 0.01 },
      BurstDensity: { value: 0.5 },
      BurstDuration: { value: 120 },
      FrameRate: { value: 9 },
      VideoFrameRateAvg: { value: 24 },
      BitRateAvg: { value: 1_200_000 },
    };
    const expected = { lossMax: 0.2, degradation: 0.4, concealed: 0.01, burstDensity: 0.5, burstDuration: 120 };
    expect(streamMetrics({ ...report, metrics })).toEqual({ ...expected, frameRate: 24, bitRate: 1_200_000 });
  });

  it('are unknown when the stream has only a few packets', () => {
    const metrics = { PacketLossRate: { value: 0.5 } };
    expect(streamMetrics({ ...report, metrics, withheld: 'tooFewPackets' })).toEqual({});
  });

  it('have the first MOS that the sender knows, else the computed one', () => {
    const mos = (metrics: Record<string, { value: number | string }>, mediaType = 'audio'): number | undefined =>
      streamMetrics({ ...report, mediaType, codecs: [{ name: 'PCMU/8000' }], metrics }).mos;
    const network = { OverallAvgNetworkMOS: { value: 3.9 } };
    expect(mos({ ...network, RecvListenMOS: { value: 4.1 } })).toBe(4.1);
    // A sender that does not know it writes 0 or -1.
    expect(mos({ ...network, RecvListenMOS: { value: -1 } })).toBe(3.9);
    expect(mos({ RecvListenMOS: { value: 'good' }, ...network })).toBe(3.9);
    expect(mos({ PacketLossRate: { value: 0 } })).toBe(4.31);
    expect(mos({ RoundTrip: { value: 20 } })).toBeUndefined();
    expect(mos(network, 'video')).toBeUndefined();
  });

  it.each([-1, 1.01, NaN, Infinity, 'much'])('omit a loss of %p, which was not measured', (value) => {
    expect(streamMetrics({ ...report, metrics: { PacketLossRate: { value } } })).toEqual({});
  });

  it('omit values that cannot be, and take the next element that can', () => {
    const metrics = {
      RoundTrip: { value: 65_535 },
      JitterInterArrival: { value: 425_711_448 },
      DegradationAvg: { value: 127 },
      VideoPacketLossRate: { value: 12.7 },
      PacketLossRate: { value: 0.01 },
      RecvListenMOS: { value: 12.7 },
      SendListenMOS: { value: 4 },
    };
    expect(streamMetrics({ ...report, metrics })).toEqual({ loss: 0.01, mos: 4 });
  });

  it('do not read inherited properties from a report', () => {
    const metrics = Object.create({ RoundTrip: { value: 20 } }) as Record<string, { value: number }>; // oxlint-disable-line typescript/no-unsafe-type-assertion -- Object.create is untyped
    expect(streamMetrics({ ...report, metrics })).toEqual({});
  });
});

describe.each(STREAM_METRIC_NAMES)('classes of %s', (name) => {
  const scale = STREAM_METRICS[name];

  it('have the thresholds of the default profile as bounds', () => {
    const thresholds = Object.values(defaultThresholds).flatMap(({ metrics, mos }) =>
      (name === 'mos' ? [mos] : scale.elements.map((element) => metrics[element])).flatMap((threshold) =>
        threshold === undefined ? [] : [threshold.optimal, threshold.acceptable],
      ),
    );
    expect(scale.bounds).toEqual(expect.arrayContaining(thresholds));
  });

  it('are split into fine classes, each at most 5 % wider than the one before', () => {
    const fine = fineBounds(scale);
    expect(fine).toEqual(expect.arrayContaining([...scale.bounds]));
    expect(fine).toEqual([...new Set(fine)].sort((a, b) => a - b));
    const [zero, least = 0] = fine;
    expect([zero, least, fine.at(-1)]).toEqual([0, scale.least, scale.most]);
    const growth = fine.slice(2).map((bound, index) => bound / (fine[index + 1] ?? 0));
    expect(Math.max(...growth)).toBeLessThan(1.0501);
  });
});
