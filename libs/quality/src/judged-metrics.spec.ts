import { judgedMetrics, type JudgedMetric } from './judged-metrics.js';
import { streamMos } from './stream-mos.js';
import { defaultProfiles, defaultThresholds, type ThresholdProfiles } from './thresholds.js';

function judgedOne(name: string, value: number | string, limit?: number): Partial<JudgedMetric> | undefined {
  const metric = limit === undefined ? { value } : { value, limit };
  return judgedMetrics({ mediaType: 'audio', codecs: [], metrics: { [name]: metric } }, defaultProfiles)[name];
}

describe('the level of a metric', () => {
  it.each([
    ['JitterInterArrival', 15, { unit: 'ms', level: 'good', threshold: 15, thresholdFrom: 'profile' }],
    ['JitterInterArrival', 16, { unit: 'ms', level: 'poor', threshold: 15, thresholdFrom: 'profile' }],
    ['PacketLossRate', 0.06, { unit: 'ratio', level: 'bad', threshold: 0.05, thresholdFrom: 'profile' }],
    ['CapturedPacketLossRate', 0.06, { unit: 'ratio', level: 'bad', threshold: 0.05 }],
    ['OverallAvgNetworkMOS', 3.7, { unit: 'mos', level: 'good', threshold: 3.6 }],
    ['RecvListenMOS', 3.2, { unit: 'mos', level: 'poor', threshold: 3.6 }],
    ['ConversationalMOS', 3, { unit: 'mos', level: 'bad', threshold: 3.1 }],
    ['RecvSignalLevel', -20, { unit: 'dB', level: 'unjudged', threshold: null, thresholdFrom: null }],
    ['CaptureDevice', 'Headset', { unit: null, level: 'unjudged' }],
    ['DegradationAvg', 0.7, { unit: 'mos', level: 'poor', threshold: 0.6 }],
    ['toString', 1, { level: 'unjudged' }],
  ])('%s of %s', (name, value, expected) => {
    expect(judgedOne(name, value)).toMatchObject({ value, ...expected });
  });

  it('is by the limit that the sender reports beside it', () => {
    expect(judgedOne('JitterInterArrival', 12, 10)).toEqual({
      value: 12,
      limit: 10,
      unit: 'ms',
      level: 'bad',
      threshold: 10,
      thresholdFrom: 'sender',
      profile: null,
    });
  });

  it('is by the profile of the version, and of captured media by that of RTP', () => {
    const strict = {
      ...defaultThresholds,
      audio: { metrics: { JitterInterArrival: { optimal: 1, acceptable: 2 } }, minimumPackets: 0, zeroWhenAbsent: [] },
    };
    const metrics = { JitterInterArrival: { value: 10 }, CapturedJitter: { value: 10 }, ComputedMOS: { value: 4 } };
    const levels = (profiles: ThresholdProfiles, version: 'A' | 'D'): unknown =>
      Object.values(judgedMetrics({ mediaType: 'audio', codecs: [], metrics, version }, profiles)).map(
        ({ level, profile }) => [level, profile],
      );
    const [good, bad] = [
      ['good', 'RTP'],
      ['bad', 'RTP'],
    ] as const;
    expect(levels({ ...defaultProfiles, A: strict }, 'A')).toEqual([['bad', 'A'], good, good]);
    expect(levels({ ...defaultProfiles, A: strict }, 'D')).toEqual([['good', 'D'], good, good]);
    expect(levels({ ...defaultProfiles, RTP: strict }, 'D')).toEqual([['good', 'D'], bad, ['unjudged', null]]);
  });

  it('is not known in a report of too few packets', () => {
    const metrics = { PacketUtilization: { value: 20 }, PacketLossRate: { value: 0.5 } };
    const judged = judgedMetrics({ mediaType: 'audio', codecs: [], metrics }, defaultProfiles);
    expect(judged['PacketLossRate']?.level).toBe('unjudged');
  });
});

describe('the MOS of a stream', () => {
  const codecs = [{ name: 'PCMU/8000' }];
  const metrics = { PacketUtilization: { value: 1_000 }, PacketLossRate: { value: 0.05 }, RoundTrip: { value: 100 } };

  it('is that of the sender, and computed beside it', () => {
    const own = { ...metrics, RecvListenMOS: { value: 4.1 }, OverallAvgNetworkMOS: { value: 3.9 } };
    expect(streamMos({ mediaType: 'audio', codecs, metrics: own }, defaultProfiles)).toEqual({
      listening: expect.objectContaining({ value: 4.1, level: 'good' }),
      network: expect.objectContaining({ value: 3.9, level: 'good' }),
      computed: expect.objectContaining({ value: 3.74, level: 'good' }),
    });
  });

  it('is the one computed from captured media, if the report has it', () => {
    const own = { ...metrics, ComputedMOS: { value: 2.5 } };
    expect(streamMos({ mediaType: 'audio', codecs, metrics: own }, defaultProfiles)).toMatchObject({
      computed: { value: 2.5 },
    });
  });

  it.each([
    ['video', 'video', codecs, metrics],
    ['a codec without published values', 'audio', [{ name: 'opus/48000' }], metrics],
    ['a report without loss and packets', 'audio', codecs, { RoundTrip: { value: 100 } }],
  ])('is not computed for %s', (_what, mediaType, own, measured) => {
    expect(streamMos({ mediaType, codecs: own, metrics: measured }, defaultProfiles)).toEqual({});
  });
});
