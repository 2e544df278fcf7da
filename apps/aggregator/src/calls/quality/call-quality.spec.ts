import { anna, ben, example, report, start, stream } from '../../../test/call-examples.js';
import type { Call } from '../call.js';
import { deriveCall } from '../derive-call.js';
import type { FeedRecord } from '../feed-record.js';

function derivedCall(...records: readonly FeedRecord[]): Call {
  return deriveCall(records).call;
}

describe('the verdicts on a call', () => {
  it('are the sender’s and our own for each stream, with the cause of ours', () => {
    const call = derivedCall(example([report({ VideoPacketLossRate: 0.2 }, { streamQuality: 'Poor' })]));
    expect(call.quality).toMatchObject([
      {
        senderVerdict: 'poor',
        ownVerdict: 'bad',
        verdict: 'bad',
        cause: { metric: 'VideoPacketLossRate', value: 0.2, threshold: 0.1, thresholdFrom: 'profile', profile: '1.0' },
        withheld: null,
        assumedZero: [],
      },
    ]);
  });

  it('name on the call itself the cause that made it bad, and its stream', () => {
    const streams = example([stream('video', anna, ben), stream('video', ben, anna)]);
    const there = report({ VideoPacketLossRate: 0.07 });
    const back = report({ RecvFrameRateAverage: 3 }, { from: ben, to: anna });
    expect(derivedCall(streams, example([there, back]))).toMatchObject({
      verdict: 'bad',
      cause: {
        mediaType: 'video',
        from: ben.uri,
        to: anna.uri,
        metric: 'RecvFrameRateAverage',
        value: 3,
        threshold: 7,
        profile: '1.0',
      },
    });
    expect(derivedCall(streams, example([report({ VideoPacketLossRate: 0 })]))).toMatchObject({
      verdict: 'good',
      cause: null,
    });
  });

  it('take the possible value of a metric, whichever report has it', () => {
    const call = derivedCall(example([report({ VideoPacketLossRate: 0.2 }), report({ VideoPacketLossRate: 127 })]));
    expect(call.quality).toMatchObject([{ metrics: { VideoPacketLossRate: { value: 0.2 } }, verdict: 'bad' }]);
  });

  it('name no profile if the limit of the sender decides', () => {
    const [quality] = derivedCall(example([report({ VideoPacketLossRate: { value: 0.2, limit: 0.05 } })])).quality;
    expect(quality?.cause).toEqual({
      metric: 'VideoPacketLossRate',
      value: 0.2,
      threshold: 0.05,
      thresholdFrom: 'sender',
    });
  });

  it('are the sender’s when we have nothing to judge, and unknown when there are too few packets', () => {
    const nothing = report({ BitRateAvg: 9 }, { streamQuality: 'BAD' });
    expect(derivedCall(example([nothing]))).toMatchObject({
      verdict: 'bad',
      cause: null,
      quality: [{ senderVerdict: 'bad', ownVerdict: 'unknown', withheld: 'nothingToJudge' }],
    });
    const few = report({ PacketUtilization: 20, VideoPacketLossRate: 0.5 }, { streamQuality: 'Bad' });
    expect(derivedCall(example([few]))).toMatchObject({
      verdict: 'unknown',
      quality: [{ senderVerdict: 'bad', ownVerdict: 'unknown', verdict: 'unknown', withheld: 'tooFewPackets' }],
    });
  });

  it('use the worse verdict of two halves', () => {
    const half = (streamQuality: string, at: string): FeedRecord => example([report({}, { streamQuality })], { at });
    expect(derivedCall(start(), half('Bad', '05:01'), half('Good', '05:02')).quality).toMatchObject([
      { senderVerdict: 'bad' },
    ]);
  });

  it('use the bandwidth limit of shared screens wherever the record contains it', () => {
    const sharing = report({ PacketUtilization: 900 }, { mediaType: 'applicationsharing' });
    const ofFirstVersion = derivedCall(example([sharing], { connection: { appliedBandwidthLimit: 400_000 } }));
    const measured = { ...sharing, metrics: { AppliedBandwidthLimit: { value: 400_000 } } };
    for (const call of [ofFirstVersion, derivedCall(example([measured]))]) {
      expect(call.quality).toMatchObject([
        { verdict: 'bad', cause: { metric: 'AppliedBandwidthLimit', threshold: 500_000 } },
      ]);
    }
    expect(ofFirstVersion.quality[0]?.metrics).not.toHaveProperty('AppliedBandwidthLimit');
  });

  it('list the metrics that were assumed to be zero', () => {
    const audio = report({ PacketUtilization: 900 }, { mediaType: 'audio' });
    expect(derivedCall(example([audio])).quality).toMatchObject([
      {
        verdict: 'good',
        assumedZero: ['PacketLossRate', 'JitterInterArrival'],
        metrics: { PacketUtilization: { value: 900 } },
      },
    ]);
  });

  it('use the sender’s worse verdict when every judged metric was assumed to be zero', () => {
    const audio = (streamQuality: string): FeedRecord =>
      example([report({ PacketUtilization: 4_000 }, { mediaType: 'audio', streamQuality })]);
    expect(derivedCall(audio('Bad'))).toMatchObject({ verdict: 'bad', cause: null, quality: [{ ownVerdict: 'good' }] });
    expect(derivedCall(audio('Good'))).toMatchObject({ verdict: 'good' });
    const measured = report({ PacketUtilization: 4_000, RoundTrip: 30 }, { mediaType: 'audio', streamQuality: 'Bad' });
    expect(derivedCall(example([measured]))).toMatchObject({ verdict: 'good', quality: [{ senderVerdict: 'bad' }] });
  });
});
