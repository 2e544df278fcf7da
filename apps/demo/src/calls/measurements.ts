import type { Metric } from '@ringdown/xml-schemas/record';
import { rounded, SeededRandom } from '@ringdown/generated-calls';
import type { CallPlan, Side } from './call-plan.js';
import { hasEcho, isUnheard, sideBadness, type Story } from './story.js';

export type Metrics = Readonly<Record<string, Metric>>;

export interface MeasuredTime {
  /** Averages from the answer until then, milliseconds since 1970. */
  readonly at: number;
  readonly answeredAt: number;
}

/** How bad the media are at this moment, 0 to 1: from the way of the sender, and from that of the receiver. */
export function badnessAt(plan: CallPlan, [from, to]: readonly [Side, Side], at: number, story: Story): number {
  const [own, other] = [sideBadness(plan, from, at, story), sideBadness(plan, to, at, story)];
  return Math.min(1, Math.max(own * 0.85, other) + plan.badness * shapeOf(plan, at));
}

/** Reports contain averages, so what was bad in the middle remains at the end. */
const AVERAGE_OF_DIP = 0.45;

function shapeOf({ course, changesUntil, invitedAt }: CallPlan, at: number): number {
  const share = Math.min(1, Math.max(0, (at - invitedAt) / Math.max(1, changesUntil - invitedAt)));
  if (course === 'steady') return 0.5;
  if (course === 'worsening') return share ** 1.5;
  return Math.max(Math.sin(Math.PI * share) ** 2, share > 0.5 ? AVERAGE_OF_DIP : 0);
}

const PACKETS_A_SECOND = 50;

/** The metrics of one direction of the audio until this time. */
export function audioMetrics(plan: CallPlan, ends: readonly [Side, Side], time: MeasuredTime, story: Story): Metrics {
  const { at, answeredAt } = time;
  if (isUnheard(plan, ends[0], story)) return { PacketUtilization: number(0, 0), ...devices(ends) };
  const random = new SeededRandom((plan.seed + Math.round(at / 1_000) + ends[0].port) >>> 0);
  const badness = badnessAt(plan, ends, at, story);
  const near = (value: number): number => value * random.between(0.85, 1.15);
  const loss = near(0.0004 + 0.13 * badness ** 2);
  const jitter = near(4 + 30 * badness);
  const degradation = Math.min(3.2, near(0.12 + 1.7 * badness ** 1.2));
  const seconds = Math.max(1, (at - answeredAt) / 1_000);
  const [from, to] = ends;
  return {
    RecvListenMOS: number(Math.max(1.2, 4.42 - degradation), 2),
    PacketUtilization: number(seconds * PACKETS_A_SECOND, 0),
    PacketLossRate: number(loss, 4),
    PacketLossRateMax: number(loss * near(3), 4),
    JitterInterArrival: number(jitter, 0),
    JitterInterArrivalMax: number(jitter * near(2.6), 0),
    RoundTrip: number(roundTripOf(from, to) + near(130 * badness), 0),
    DegradationAvg: number(degradation, 2),
    RatioConcealedSamplesAvg: number(near(0.003 + 0.1 * badness ** 1.5), 4),
    RecvSignalLevel: number(-24 + random.between(-3, 3), 0),
    RecvNoiseLevel: number(-68 + random.between(-4, 4), 0),
    ...(isEchoing(plan, from, story) ? echoMetrics(random) : {}),
    ...devices(ends),
  };
}

function devices([from, to]: readonly [Side, Side]): Metrics {
  return {
    ...(from.kind === 'person' ? { CaptureDevice: { value: from.person.headset } } : {}),
    ...(to.kind === 'person' ? { RenderDevice: { value: to.person.headset } } : {}),
  };
}

function isEchoing(plan: CallPlan, from: Side, story: Story): boolean {
  return from.kind === 'person' && hasEcho(plan, from.person, story);
}

/** The one bad model sends an echo, so that the device mutes one side; its microphone crackles, and the network is fine. */
function echoMetrics(random: SeededRandom): Metrics {
  return {
    // Judged by thresholds, unlike the next.
    DeviceHalfDuplexAECEventRatio: number(random.between(0.22, 0.46), 2),
    DeviceEchoEventRatio: number(random.between(0.2, 0.5), 2),
    MicGlitchRate: number(random.between(9, 22), 0),
  };
}

export function videoMetrics(plan: CallPlan, ends: readonly [Side, Side], time: MeasuredTime, story: Story): Metrics {
  const random = new SeededRandom((plan.seed + Math.round(time.at / 1_000) + ends[0].port + 1) >>> 0);
  const badness = badnessAt(plan, ends, time.at, story);
  const near = (value: number): number => value * random.between(0.85, 1.15);
  const loss = near(0.001 + 0.2 * badness ** 2);
  return {
    PacketUtilization: number(Math.max(1, (time.at - time.answeredAt) / 1_000) * 90, 0),
    VideoPacketLossRate: number(loss, 4),
    VideoPostFECPLR: number(loss * 0.6, 4),
    VideoLocalFrameLossPercentageAvg: number(near(0.4 + 16 * badness ** 2), 2),
    RecvFrameRateAverage: number(Math.max(4, near(28 - 20 * badness)), 1),
    JitterInterArrival: number(near(4 + 20 * badness), 0),
    BitRateAvg: number(near(1_600_000 * (1 - 0.7 * badness)), 0),
    BitRateMax: number(near(2_400_000), 0),
  };
}

function roundTripOf(from: Side, to: Side): number {
  const sites = [from, to].map((side) => (side.kind === 'person' ? side.person.site : 'Oslo'));
  const isFar = sites.includes('Boston') && sites[0] !== sites[1];
  return isFar ? 92 : sites[0] === sites[1] ? 14 : 46;
}

function number(value: number, digits: number): Metric {
  return { value: rounded(value, digits) };
}
