import type { Codec, Metric } from '@ringdown/xml-schemas/record';
import { defaultThresholds } from './thresholds.js';
import { judge, metricsLevel, worst, type Judgement } from './verdict.js';

type Values = Readonly<Record<string, number | Metric>>;

function video(metrics: Values): Judgement {
  return of('video', metrics);
}

function of(mediaType: string | null, metrics: Values, codecs: readonly Codec[] = []): Judgement {
  const entries = Object.entries(metrics).map(([name, value]): [string, Metric] => [
    name,
    typeof value === 'object' ? value : { value },
  ]);
  return judge({ mediaType, codecs, metrics: Object.fromEntries(entries) }, defaultThresholds);
}

const NO_VERDICT = { verdict: 'unknown', cause: null, withheld: 'nothingToJudge', assumedZero: [], measured: false };

describe('the verdict on a stream', () => {
  it.each([
    [0.05, 'good'],
    [0.051, 'poor'],
    [0.1, 'poor'],
    [0.11, 'bad'],
  ])('is for a video packet loss of %d %s', (value, verdict) => {
    expect(video({ VideoPacketLossRate: value }).verdict).toBe(verdict);
  });

  it.each([
    [12, 'good'],
    [11.9, 'poor'],
    [7, 'poor'],
    [6.9, 'bad'],
  ])('is for %d frames per second %s, because fewer are worse', (value, verdict) => {
    expect(video({ RecvFrameRateAverage: value }).verdict).toBe(verdict);
  });

  it('names the metric that exceeds its threshold most', () => {
    expect(video({ VideoPacketLossRate: 0.12, RecvFrameRateAverage: 1, DynamicCapabilityPercent: 6 })).toMatchObject({
      verdict: 'bad',
      cause: { metric: 'RecvFrameRateAverage', value: 1, threshold: 7, thresholdFrom: 'profile' },
    });
  });

  it.each([
    ['RoundTrip', 65_535],
    ['DegradationAvg', 127],
    ['JitterInterArrival', 425_711_448],
    ['PacketLossRate', 1.5],
    ['PacketLossRate', -1],
  ])('does not judge a %s of %d, which cannot be', (metric, value) => {
    expect(of('audio', { [metric]: value })).toEqual(NO_VERDICT);
    expect(of('audio', { [metric]: value, PacketUtilization: 3_000 }).verdict).toBe('good');
  });

  it('counts the packets that were lost: a stream of which nothing arrived is not a short one', () => {
    expect(of('audio', { PacketUtilization: 0, PacketLossRate: 1 }).verdict).toBe('bad');
    expect(of('audio', { PacketUtilization: 300, PacketLossRate: 0.5 }).verdict).toBe('bad');
    expect(of('audio', { PacketUtilization: 200, PacketLossRate: 0.5 }).withheld).toBe('tooFewPackets');
    expect(of('audio', { PacketUtilization: 0, PacketLossRate: 0 }).withheld).toBe('tooFewPackets');
  });

  it('has no cause when it is good', () => {
    expect(video({ VideoPacketLossRate: 0 })).toEqual({
      verdict: 'good',
      cause: null,
      withheld: null,
      assumedZero: [],
      measured: true,
    });
  });

  it.each([
    [{ VideoPacketLossRate: { value: 0.2, limit: 0.3 } }, 'poor'],
    [{ VideoPacketLossRate: { value: 0.2, limit: 0.15 } }, 'bad'],
    [{ VideoPacketLossRate: { value: 0.03, limit: 0.02 } }, 'bad'],
    [{ RecvFrameRateAverage: { value: 8, limit: 9 } }, 'bad'],
    [{ RecvFrameRateAverage: { value: 9, limit: 9 } }, 'poor'],
    [{ UnknownMetric: { value: 2, limit: 1 } }, 'bad'],
    [{ UnknownMetric: { value: 1, limit: 1 } }, 'good'],
  ])('uses the limit that the sender puts beside a value as acceptable: %j is %s', (metrics, verdict) => {
    expect(video(metrics).verdict).toBe(verdict);
  });

  it('reports that the threshold was the sender’s', () => {
    expect(video({ VideoPacketLossRate: { value: 0.2, limit: 0.15 } }).cause).toEqual({
      metric: 'VideoPacketLossRate',
      value: 0.2,
      threshold: 0.15,
      thresholdFrom: 'sender',
    });
  });

  it('is unknown without a metric that can be judged', () => {
    for (const judgement of [
      video({}),
      video({ BitRateAvg: 9 }),
      of('applicationsharing', { PacketUtilization: 4_000 }),
      video({ VideoPacketLossRate: { value: 'none' } }),
      of(null, { VideoPacketLossRate: 1 }),
      of('fax', { VideoPacketLossRate: 1 }),
    ]) {
      expect(judgement).toEqual(NO_VERDICT);
    }
  });

  it('assumes zero for metrics that senders omit when zero, if packets arrived, and lists them', () => {
    expect(of('audio', { PacketUtilization: 4_000 })).toEqual({
      verdict: 'good',
      cause: null,
      withheld: null,
      assumedZero: ['PacketLossRate', 'JitterInterArrival'],
      measured: false,
    });
    expect(of('audio', { PacketUtilization: 4_000, JitterInterArrival: 40 })).toMatchObject({
      verdict: 'bad',
      assumedZero: ['PacketLossRate'],
    });
    expect(video({ PacketUtilization: 4_000, RecvFrameRateAverage: 9 })).toMatchObject({ verdict: 'poor' });
    expect(of('audio', { RoundTrip: 10 })).toMatchObject({ verdict: 'good', assumedZero: [] });
    expect(of('audio', { PacketUtilization: 0, RoundTrip: 10 }).assumedZero).toEqual([]);
  });

  it('is withheld when too few packets were sent to be meaningful', () => {
    expect(of('audio', { PacketUtilization: 249, PacketLossRate: 0.5 })).toEqual({
      verdict: 'unknown',
      cause: null,
      withheld: 'tooFewPackets',
      assumedZero: [],
      measured: true,
    });
    expect(of('audio', { PacketUtilization: 250, PacketLossRate: 0.5 }).verdict).toBe('bad');
    expect(of('applicationsharing', { PacketUtilization: 20, SpoiledTilePercentTotal: 40 }).verdict).toBe('bad');
  });

  it('uses the thresholds of video for shared screens sent as video, with a bandwidth limit of their own', () => {
    const sharing = (limit: number, more: Values = {}): string =>
      of('applicationsharing', { AppliedBandwidthLimit: limit, ...more }).verdict;
    expect(sharing(100_000)).toBe('bad');
    expect(sharing(100_000, { RecvFrameRateAverage: 15 })).toBe('good');
    expect(sharing(14_500, { RecvFrameRateAverage: 15 })).toBe('poor');
    expect(sharing(100_000, { RecvFrameRateAverage: 5 })).toBe('bad');
    const codecs = [{ name: 'X-H264UC/90000' }];
    expect(of('applicationsharing', { AppliedBandwidthLimit: 100_000 }, codecs).verdict).toBe('good');
  });

  it('depends on the medium: 40 ms of jitter are bad for audio and fine for shared applications', () => {
    expect(of('audio', { JitterInterArrival: 40 }).verdict).toBe('bad');
    expect(of('applicationsharing', { JitterInterArrival: 40 }).verdict).toBe('good');
  });
});

describe('the worst of several verdicts', () => {
  it('orders bad before poor before good before unknown', () => {
    expect(worst([])).toBe('unknown');
    expect(worst(['unknown', 'good'])).toBe('good');
    expect(worst(['good', 'poor', 'unknown'])).toBe('poor');
    expect(worst(['poor', 'bad', 'good'])).toBe('bad');
  });
});

describe('levelOf', () => {
  it.each([
    ['audio', {}, 'good'],
    ['audio', { PacketLossRate: { value: 0.02 }, JitterInterArrival: { value: 15 } }, 'good'],
    ['audio', { PacketLossRate: { value: 0.021 } }, 'poor'],
    ['audio', { JitterInterArrival: { value: 16 }, RoundTrip: { value: 501 } }, 'bad'],
    ['audio', { PacketUtilization: { value: 20 }, PacketLossRate: { value: 0.06 } }, 'bad'],
    ['video', { PacketLossRate: { value: 0.5 }, VideoPacketLossRate: { value: 0.06 } }, 'poor'],
    ['data', { PacketLossRate: { value: 0.5 } }, 'good'],
  ] as const)('of %s with %j is %s', (mediaType, metrics, level) => {
    expect(metricsLevel({ mediaType, codecs: [], metrics })).toBe(level);
  });
});
