import { streamPackets, type StreamPlan } from '../../test/write-rtp.js';
import { capturedMetrics } from './captured-metrics.js';
import { mergeMeasures } from './merged-measures.js';
import { RtpStreams } from './rtp-streams.js';
import type { RtpStream } from './rtp-stream.js';

const ALICE = { ip: '192.0.2.10', port: 4_000 };
const BOB = { ip: '192.0.2.20', port: 5_000 };
const PLAN = { from: ALICE, to: BOB, packets: 1_000 };
const AUDIO = { mediaType: 'audio', isOneWay: false } as const;

function plannedStreamMetrics(
  plans: readonly StreamPlan[],
  context: Parameters<typeof capturedMetrics>[1] = AUDIO,
): Record<string, unknown> {
  const found: RtpStream[] = [];
  const streams = new RtpStreams((stream) => found.push(stream) > 0);
  for (const { at, bytes } of plans.flatMap((plan) => streamPackets(plan, 1))) {
    streams.add({ source: ALICE, destination: BOB, payload: bytes, dscp: 46 }, at);
  }
  const merged = mergeMeasures(found.map((stream) => stream.measures(true)));
  const metrics = merged ? capturedMetrics(merged, context) : {};
  return Object.fromEntries(Object.entries(metrics).map(([name, { value }]) => [name, value]));
}

describe('capturedMetrics', () => {
  it('reports what was seen of a good stream, without zeros of what did not happen', () => {
    expect(plannedStreamMetrics([PLAN])).toEqual({
      CapturedPackets: 1_000,
      CapturedPacketLossRate: 0,
      CapturedPacketLossRateMax: 0,
      CapturedJitter: 0,
      CapturedJitterMax: 0,
      CapturedPacketRate: 50,
      CapturedCodec: 'PCMU/8000',
      CapturedDscp: 46,
      ComputedMOS: 4.31,
    });
  });

  it('joins streams whose SSRC changed', () => {
    const [one, other] = [
      { ...PLAN, loss: 0.1 },
      { ...PLAN, ssrc: 9, startAt: 1_760_000_100_000, jitter: 10 },
    ];
    const metrics = plannedStreamMetrics([one, other]);
    expect(metrics).toMatchObject({ CapturedSsrcChanges: 1, CapturedPacketRate: expect.closeTo(47.5, 0) });
    expect(metrics['CapturedPacketLossRate']).toBeCloseTo(0.05, 1);
    expect(metrics['CapturedJitter']).toBeCloseTo(Number(plannedStreamMetrics([other])['CapturedJitter']) / 2, 0);
  });

  it.each([
    ['at the end', { ...PLAN, packets: 700 }, (n: number) => n >= 500 && n % 4 === 0],
    ['after its last whole interval', { ...PLAN, packets: 240 }, (n: number) => n > 150 && n % 3 === 0],
    ['among the first packets', { ...PLAN, packets: 60 }, (n: number) => n > 2 && n < 20],
  ])('reports a highest loss that is not below the mean when packets are lost %s', (_where, plan, isLost) => {
    const found: RtpStream[] = [];
    const streams = new RtpStreams((stream) => found.push(stream) > 0);
    for (const [n, { at, bytes }] of streamPackets(plan, 1).entries()) {
      if (!isLost(n)) streams.add({ source: ALICE, destination: BOB, payload: bytes }, at);
    }
    for (const isOver of [false, true]) {
      // During a call, the highest is unknown until the fate of 25 packets is.
      const { lossRate = 0, worstLossRate = isOver ? -1 : 1 } =
        mergeMeasures(found.map((each) => each.measures(isOver))) ?? {};
      expect(lossRate).toBeGreaterThan(0);
      expect(worstLossRate).toBeGreaterThanOrEqual(lossRate);
    }
  });

  it.each([3_600_000, -3_600_000, 86_400_000])('ignores a jump of the capture clock by %d ms in rates', (jump) => {
    const found: RtpStream[] = [];
    const streams = new RtpStreams((stream) => found.push(stream) > 0);
    for (const [n, { at, bytes }] of streamPackets({ ...PLAN, jitter: 5 }, 1).entries()) {
      streams.add({ source: ALICE, destination: BOB, payload: bytes }, n < 400 ? at : at + jump);
    }
    const merged = mergeMeasures(found.map((each) => each.measures(true)));
    const metrics = merged && capturedMetrics(merged, AUDIO);
    expect(metrics?.['CapturedPacketRate']?.value).toBeCloseTo(50, 0);
    expect(metrics?.['CapturedClockJumps']?.value).toBe(1);
    expect(metrics?.['CapturedJitterMax']?.value).toBeLessThan(5);
    expect(metrics?.['CapturedPacketLossRateMax']?.value).toBe(0);
  });

  it('counts a pause that the time stamps show, and none of a stopped sender', () => {
    const [one, other] = [streamPackets({ ...PLAN, packets: 250 }, 1), 250] as const;
    const rate = (timestampStep: number): number => {
      const found: RtpStream[] = [];
      const streams = new RtpStreams((stream) => found.push(stream) > 0);
      const resumed = {
        ...PLAN,
        packets: other,
        firstSequence: 251,
        firstTimestamp: 1_000 + 250 * 160 + timestampStep,
      };
      const later = streamPackets({ ...resumed, startAt: 1_760_000_015_000 }, 1);
      for (const { at, bytes } of [...one, ...later])
        streams.add({ source: ALICE, destination: BOB, payload: bytes }, at);
      return mergeMeasures(found.map((each) => each.measures(true)))?.packetsPerSecond ?? 0;
    };
    expect(rate(80_000)).toBeCloseTo(25, 0);
    expect(rate(0)).toBeCloseTo(50, 0);
  });

  it('computes a lower MOS for loss and a long way', () => {
    const lossy = Number(plannedStreamMetrics([{ ...PLAN, loss: 0.1 }])['ComputedMOS']);
    expect(lossy).toBeLessThan(3.9);
    expect(Number(plannedStreamMetrics([PLAN], { ...AUDIO, roundTripMs: 800 })['ComputedMOS'])).toBeLessThan(3);
  });

  it('computes no MOS for video and for codecs without published values', () => {
    expect(plannedStreamMetrics([PLAN], { ...AUDIO, mediaType: 'video' })).not.toHaveProperty('ComputedMOS');
    expect(plannedStreamMetrics([{ ...PLAN, payloadType: 9 }])).not.toHaveProperty('ComputedMOS');
  });

  it('reports that only comfort noise was sent, and that the other direction has no packets', () => {
    const metrics = plannedStreamMetrics([{ ...PLAN, talkspurt: 1 }], { ...AUDIO, isOneWay: true });
    expect(metrics).toMatchObject({ CapturedSilence: 'comfort noise', CapturedOneWay: 1 });
  });

  it('reports nothing without streams', () => {
    expect(mergeMeasures([])).toBeUndefined();
  });
});
