import type { Metric } from '@ringdown/xml-schemas';
import { unitOf, type MetricUnit } from './metric-units.js';
import type { ThresholdProfile } from './thresholds.js';
import { examine, thresholdsFor, type Measured } from './verdict.js';

export type MetricLevel = 'good' | 'poor' | 'bad' | 'unjudged';

/** A metric beside the threshold that decides its level. */
export interface JudgedMetric extends Metric {
  readonly unit: MetricUnit | null;
  readonly level: MetricLevel;
  /** Of a bad value: the acceptable one; otherwise the optimum. Null if there is none. */
  readonly threshold: number | null;
  readonly thresholdFrom: 'sender' | 'profile' | null;
}

/**
 * MOS has a level, but is no part of the verdict (diagnostics-feed.md, 5): ratings of 70 and 60 of ITU-T G.109, below which
 * some and many users are dissatisfied.
 */
const MOS_THRESHOLD = { optimal: 3.6, acceptable: 3.1 };

/** What was captured is judged as what the receiver reports (docs/records.md, "Metrics of captured media"). */
const JUDGED_AS: Readonly<Record<string, string>> = {
  CapturedPacketLossRate: 'PacketLossRate',
  CapturedJitter: 'JitterInterArrival',
};

/** Each metric of a report with its level. A report of too few packets is not meaningful: nothing of it is judged. */
export function judgedMetrics(measured: Measured, profile: ThresholdProfile): Readonly<Record<string, JudgedMetric>> {
  const packets = measured.metrics['PacketUtilization']?.value;
  const thresholds = thresholdsFor(measured, profile);
  const isMeaningful = !(typeof packets === 'number' && packets < (thresholds?.minimumPackets ?? 0));
  const judged = Object.entries(measured.metrics).map(([name, metric]) => {
    const finding = isMeaningful ? findingOf(name, metric, thresholds) : undefined;
    const { threshold = null, thresholdFrom = null } = finding?.cause ?? {};
    const level = finding?.verdict ?? 'unjudged';
    return [name, { ...metric, unit: unitOf(name), level, threshold, thresholdFrom }] as const;
  });
  return Object.fromEntries(judged);
}

function findingOf(
  name: string,
  metric: Metric,
  thresholds: ReturnType<typeof thresholdsFor>,
): { verdict: MetricLevel; cause: { threshold: number; thresholdFrom: 'sender' | 'profile' } } | undefined {
  const own = { metrics: { [name]: MOS_THRESHOLD }, minimumPackets: 0, zeroWhenAbsent: [] };
  const found = examine(JUDGED_AS[name] ?? name, metric, isMos(name) ? own : thresholds);
  if (found === undefined || found.verdict === 'unknown') return undefined;
  return { verdict: found.verdict, cause: found.cause };
}

function isMos(name: string): boolean {
  return unitOf(name) === 'mos' && !name.startsWith('Degradation');
}
