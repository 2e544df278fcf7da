import type { Metric } from '@ringdown/xml-schemas';
import { unitOf, type MetricUnit } from './metric-units.js';
import type { MediumThresholds, ThresholdProfile } from './thresholds.js';
import { examine, hasTooFewPackets, thresholdsFor, type Finding, type Measured } from './verdict.js';

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
 * MOS has a level, but does not change the verdict (diagnostics-feed.md, 5): ratings of 70 and 60 of ITU-T G.109, below which
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
  const { metrics } = measured;
  const thresholds = thresholdsFor(measured, profile);
  const isMeaningful = !hasTooFewPackets(metrics, thresholds);
  const judged = Object.entries(metrics).map(([name, metric]) => {
    return [name, isMeaningful ? judgedMetric(name, metric, thresholds) : withLevel(name, metric, undefined)] as const;
  });
  return Object.fromEntries(judged);
}

/** One metric with its level; MOS needs no thresholds of a medium. */
export function judgedMetric(name: string, metric: Metric, thresholds?: MediumThresholds): JudgedMetric {
  const own = { metrics: { [name]: MOS_THRESHOLD }, minimumPackets: 0, zeroWhenAbsent: [] };
  return withLevel(name, metric, examine(JUDGED_AS[name] ?? name, metric, isMos(name) ? own : thresholds));
}

function withLevel(name: string, metric: Metric, finding: Finding | undefined): JudgedMetric {
  const { threshold = null, thresholdFrom = null } = finding?.cause ?? {};
  return { ...metric, unit: unitOf(name), level: finding?.verdict ?? 'unjudged', threshold, thresholdFrom };
}

function isMos(name: string): boolean {
  return unitOf(name) === 'mos' && !name.startsWith('Degradation');
}
