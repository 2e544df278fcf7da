import { rounded, type SeededRandom } from '@ringdown/generated-calls';
import type { Medium, MediumMetrics } from './call-records.js';

export type Condition = 'good' | 'poor' | 'bad';

/**
 * The measurements of a device under a condition. Limits are those that the sender accepts; a value beyond one is bad, a
 * poor one is within it but worse than best. Zeros are left out, as senders do.
 */
export function measure(medium: Medium, condition: Condition, random: SeededRandom): MediumMetrics {
  return medium === 'audio' ? audio(condition, random) : video(condition, random);
}

type Range = readonly [from: number, to: number];

const AUDIO: Readonly<Record<Condition, Readonly<Record<'loss' | 'jitter' | 'roundTrip' | 'degradation', Range>>>> = {
  good: { loss: [0, 0.004], jitter: [2, 9], roundTrip: [15, 80], degradation: [0.05, 0.35] },
  poor: { loss: [0.021, 0.045], jitter: [16, 24], roundTrip: [90, 260], degradation: [0.4, 0.9] },
  bad: { loss: [0.06, 0.18], jitter: [30, 85], roundTrip: [180, 620], degradation: [1.1, 2.4] },
};

function audio(condition: Condition, random: SeededRandom): MediumMetrics {
  const { loss, jitter, roundTrip, degradation } = AUDIO[condition];
  const lossRate = rounded(random.between(...loss), 4);
  const jitterMs = random.whole(...jitter);
  return {
    PacketUtilization: { value: random.whole(4_000, 90_000) },
    ...(lossRate === 0 ? {} : { PacketLossRate: { value: lossRate, limit: 0.05 } }),
    JitterInterArrival: { value: jitterMs, limit: 25 },
    JitterInterArrivalMax: { value: jitterMs * random.whole(2, 4) },
    RoundTrip: { value: random.whole(...roundTrip), limit: 500 },
    DegradationAvg: { value: rounded(random.between(...degradation), 2), limit: 1 },
  };
}

const VIDEO: Readonly<Record<Condition, Readonly<Record<'loss' | 'frames' | 'frameLoss', Range>>>> = {
  good: { loss: [0, 0.01], frames: [24, 30], frameLoss: [0, 2] },
  poor: { loss: [0.055, 0.09], frames: [8, 11.5], frameLoss: [5.5, 9] },
  bad: { loss: [0.12, 0.3], frames: [2.5, 6.5], frameLoss: [12, 35] },
};

function video(condition: Condition, random: SeededRandom): MediumMetrics {
  const { loss, frames, frameLoss } = VIDEO[condition];
  const lossRate = rounded(random.between(...loss), 4);
  const lostFrames = rounded(random.between(...frameLoss), 2);
  const bitRate = random.whole(400_000, 2_200_000);
  return {
    PacketUtilization: { value: random.whole(20_000, 400_000) },
    PacketLossRate: { value: lossRate },
    PacketLossRateMax: { value: rounded(lossRate * random.between(1.2, 3), 4) },
    JitterInterArrival: { value: random.whole(2, 12) },
    JitterInterArrivalMax: { value: random.whole(12, 60) },
    VideoPacketLossRate: { value: lossRate, limit: 0.1 },
    RecvFrameRateAverage: { value: rounded(random.between(...frames), 2), limit: 7 },
    VideoLocalFrameLossPercentageAvg: { value: lostFrames, limit: 10 },
    LocalFrameLossPercentageAvg: { value: lostFrames },
    BitRateMax: { value: Math.round(bitRate * 1.4) },
    BitRateAvg: { value: bitRate },
  };
}
