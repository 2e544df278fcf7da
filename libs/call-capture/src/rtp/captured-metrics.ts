import type { CapturedMetric } from '@ringdown/call-catalogue/metrics';
import { computedMos } from '@ringdown/quality';
import type { Metric } from '@ringdown/xml-schemas/record';
import type { MergedMeasures } from './merged-measures.js';

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
  const values: Readonly<Record<CapturedMetric, number | string | undefined>> = {
    CapturedPackets: measures.received,
    CapturedPacketLossRate: rounded(measures.lossRate, 4),
    CapturedPacketLossRateMax: rounded(measures.worstLossRate, 4),
    CapturedJitter: rounded(measures.jitterMs, 3),
    CapturedJitterMax: rounded(measures.jitterMaxMs, 3),
    CapturedPacketRate: rounded(measures.packetsPerSecond, 1),
    CapturedReordered: positive(measures.reordered),
    CapturedDuplicates: positive(measures.duplicates),
    CapturedLate: positive(measures.late),
    CapturedSsrcChanges: positive(measures.streams - 1),
    CapturedRestarts: positive(measures.restarts),
    CapturedClockJumps: positive(measures.clockJumps),
    CapturedCodec: codec?.name,
    CapturedDscp: measures.dscp,
    CapturedSilence: isAudio ? silence : undefined,
    CapturedOneWay: context.isOneWay ? 1 : undefined,
    ComputedMOS: isAudio ? rounded(mergedMos(measures, context.roundTripMs), 2) : undefined,
  };
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, { value }]])),
  );
}

/** A packet that comes too late is as good as lost. */
function mergedMos(
  { codec, lost, late, expected, burstRatio }: MergedMeasures,
  roundTripMs?: number,
): number | undefined {
  if (codec === undefined) return undefined;
  const lossRate = Math.min(1, (lost + late) / Math.max(1, expected));
  return computedMos({ codec: codec.name, lossRate, burstRatio, roundTripMs });
}

function positive(value: number): number | undefined {
  return value > 0 ? value : undefined;
}

function rounded(value: number | undefined, digits: number): number | undefined {
  return value === undefined ? undefined : Number(value.toFixed(digits));
}
