import type { PayloadFormat } from './payload-types.js';
import type { StreamMeasures } from './rtp-stream.js';

/** What was seen of one direction of a medium, from all its streams: a new SSRC continues the medium of the old one. */
export interface MergedMeasures {
  readonly streams: number;
  readonly expected: number;
  readonly received: number;
  readonly lost: number;
  /** 0 to 1. */
  readonly lossRate: number;
  readonly worstLossRate: number | undefined;
  readonly jitterMs: number | undefined;
  readonly jitterMaxMs: number | undefined;
  readonly duplicates: number;
  readonly reordered: number;
  readonly late: number;
  /** Of the sequence numbers, and of the clocks of sender or capture. */
  readonly restarts: number;
  readonly clockJumps: number;
  /** Mean lengths, and shares of lost packets in them; undefined without loss. */
  readonly burstMs: number | undefined;
  readonly gapMs: number | undefined;
  readonly burstDensity: number | undefined;
  readonly gapDensity: number | undefined;
  readonly burstRatio: number;
  /** While packets arrived. */
  readonly packetsPerSecond: number | undefined;
  readonly bytes: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly codec: PayloadFormat | undefined;
  readonly dscp: number | undefined;
  readonly silence: Silence | undefined;
}

/** What the packets show without decoding: only comfort noise was sent, or only G.711 of a constant level. */
export type Silence = 'comfort noise' | 'constant level';

/** Nearly all packets: a phone may send a few others when it begins. */
const SILENT_SHARE = 0.99;

/** Undefined if there are none. */
export function mergeMeasures(all: readonly StreamMeasures[]): MergedMeasures | undefined {
  const [first] = all;
  if (first === undefined) return undefined;
  const sum = (of: (each: StreamMeasures) => number): number => all.reduce((total, each) => total + of(each), 0);
  const [expected, received, lost] = [
    sum((each) => each.expected),
    sum((each) => each.received),
    sum((each) => each.lost),
  ];
  const main = all.reduce((most, each) => (each.received > most.received ? each : most), first);
  const latest = all.reduce((last, each) => (each.lastAt > last.lastAt ? each : last), first);
  const seconds = sum(({ activeMs }) => activeMs) / 1_000;
  const lossRate = expected === 0 ? 0 : lost / expected;
  const worst = largest(all.map((each) => each.worstLossRate));
  const packetMs = received > all.length ? (seconds * 1_000) / (expected - all.length) : 0;
  return {
    streams: all.length,
    expected,
    received,
    lost,
    lossRate,
    // Short intervals are not judged, but their losses are in the mean.
    worstLossRate: worst === undefined ? undefined : Math.max(worst, lossRate),
    jitterMs: weightedJitter(all),
    jitterMaxMs: largest(all.map((each) => each.jitterMaxMs)),
    duplicates: sum((each) => each.duplicates),
    reordered: sum((each) => each.reordered),
    late: sum((each) => each.latePackets),
    restarts: sum((each) => each.restarts),
    clockJumps: sum((each) => each.clockJumps),
    ...burstMeasures(all, packetMs),
    packetsPerSecond: seconds > 0 ? (received - all.length) / seconds : undefined,
    bytes: sum((each) => each.bytes),
    firstAt: Math.min(...all.map(({ firstAt }) => firstAt)),
    lastAt: latest.lastAt,
    codec: main.codec,
    dscp: latest.dscp,
    silence: silenceOf(all, received),
  };
}

function largest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}

function weightedJitter(all: readonly StreamMeasures[]): number | undefined {
  const measured = all.flatMap(({ jitterMs, received }) => (jitterMs === undefined ? [] : { jitterMs, received }));
  const weight = measured.reduce((sum, { received }) => sum + received, 0);
  if (weight === 0) return undefined;
  return measured.reduce((sum, { jitterMs, received }) => sum + jitterMs * received, 0) / weight;
}

type BurstPart = Pick<MergedMeasures, 'burstMs' | 'gapMs' | 'burstDensity' | 'gapDensity' | 'burstRatio'>;

function burstMeasures(all: readonly StreamMeasures[], packetMs: number): BurstPart {
  const parts = all.map(({ bursts, lost }) => ({ ...bursts, lost }));
  const sum = (of: (each: (typeof parts)[number]) => number): number =>
    parts.reduce((total, each) => total + of(each), 0);
  const [lost, bursts, gaps] = [sum((each) => each.lost), sum((each) => each.bursts), sum((each) => each.gaps)];
  const [burstPackets, gapPackets] = [sum((each) => each.burstPackets), sum((each) => each.gapPackets)];
  const mean = (total: number, count: number): number | undefined =>
    lost === 0 || count === 0 ? undefined : total / count;
  return {
    burstMs: mean(burstPackets * packetMs, bursts),
    gapMs: mean(gapPackets * packetMs, gaps),
    burstDensity: mean(
      sum((each) => each.burstDensity * each.burstPackets),
      burstPackets,
    ),
    gapDensity: mean(
      sum((each) => each.gapDensity * each.gapPackets),
      gapPackets,
    ),
    burstRatio: lost === 0 ? 1 : sum((each) => each.burstRatio * each.lost) / lost,
  };
}

function silenceOf(all: readonly StreamMeasures[], received: number): Silence | undefined {
  const share = (of: (each: StreamMeasures) => number): number =>
    all.reduce((total, each) => total + of(each), 0) / Math.max(1, received);
  if (share((each) => each.comfortNoisePackets) >= SILENT_SHARE) return 'comfort noise';
  const silent = share((each) => each.constantPackets + each.comfortNoisePackets);
  return silent >= SILENT_SHARE ? 'constant level' : undefined;
}
