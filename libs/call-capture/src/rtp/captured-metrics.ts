import type { Metric } from '@ringdown/xml-schemas';
import { computeQuality } from './e-model.js';
import { ASSUMED_BUFFER_MS } from './late-packets.js';
import type { MergedMeasures } from './merged-measures.js';

/** The way through the network, if no report tells the round trip. */
const ASSUMED_NETWORK_MS = 50;
/** Coding and decoding, and one packet of 20 ms. */
const ENDPOINT_MS = 25;

export interface MetricContext {
  readonly mediaType: 'audio' | 'video';
  readonly roundTripMs?: number | undefined;
  /** The other direction has no packets, although both sides agreed to send. */
  readonly isOneWay: boolean;
}

/**
 * What was captured of a direction, under names of its own (docs/records.md, "Metrics of captured media"): they stay beside
 * what the receiver reports itself, and tell that a value was measured at the capture point.
 */
export function capturedMetrics(measures: MergedMeasures, context: MetricContext): Readonly<Record<string, Metric>> {
  const { codec, silence } = measures;
  const isAudio = context.mediaType === 'audio';
  const values: readonly (readonly [name: string, value: number | string | undefined])[] = [
    ['CapturedPackets', measures.received],
    ['CapturedPacketLossRate', rounded(measures.lossRate, 4)],
    ['CapturedPacketLossRateMax', rounded(measures.worstLossRate, 4)],
    ['CapturedJitter', rounded(measures.jitterMs, 1)],
    ['CapturedJitterMax', rounded(measures.jitterMaxMs, 1)],
    ['CapturedPacketRate', rounded(measures.packetsPerSecond, 1)],
    ['CapturedReordered', positive(measures.reordered)],
    ['CapturedDuplicates', positive(measures.duplicates)],
    ['CapturedLate', positive(measures.late)],
    ['CapturedSsrcChanges', positive(measures.streams - 1)],
    ['CapturedRestarts', positive(measures.restarts)],
    ['CapturedClockJumps', positive(measures.clockJumps)],
    ['CapturedCodec', codec?.name],
    ['CapturedDscp', measures.dscp],
    ['CapturedSilence', isAudio ? silence : undefined],
    ['CapturedOneWay', context.isOneWay ? 1 : undefined],
    ['ComputedMOS', isAudio ? rounded(computedMos(measures, context), 2) : undefined],
  ];
  return Object.fromEntries(values.flatMap(([name, value]) => (value === undefined ? [] : [[name, { value }]])));
}

/** Undefined for codecs without published values. A packet that comes too late is as good as lost. */
function computedMos(measures: MergedMeasures, { roundTripMs }: MetricContext): number | undefined {
  if (measures.codec === undefined) return undefined;
  const network = roundTripMs === undefined ? ASSUMED_NETWORK_MS : roundTripMs / 2;
  return computeQuality({
    codec: measures.codec.name,
    lossRate: Math.min(1, (measures.lost + measures.late) / Math.max(1, measures.expected)),
    burstRatio: measures.burstRatio,
    oneWayDelayMs: network + ASSUMED_BUFFER_MS + ENDPOINT_MS,
  })?.mos;
}

function positive(value: number): number | undefined {
  return value > 0 ? value : undefined;
}

function rounded(value: number | undefined, digits: number): number | undefined {
  return value === undefined ? undefined : Number(value.toFixed(digits));
}
