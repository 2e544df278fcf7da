import type { Metric } from '@ringdown/xml-schemas';
import { unitOf, type MetricUnit } from './metric-units.js';
import type { ThresholdProfile } from './thresholds.js';
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
    if (!isMeaningful) return [name, withLevel(name, metric, undefined)] as const;
    if (isMos(name)) return [name, judgedMos(name, metric, profile)] as const;
    return [name, withLevel(name, metric, examine(JUDGED_AS[name] ?? name, metric, thresholds))] as const;
  });
  return Object.fromEntries(judged);
}

/** All mean opinion scores are of audio, also where a report does not name its medium. */
export function judgedMos(name: string, metric: Metric, profile: ThresholdProfile): JudgedMetric {
  const { audio } = profile;
  const mos = audio?.metrics[name] ?? audio?.mos;
  const own = mos && { metrics: { [name]: mos }, minimumPackets: 0, zeroWhenAbsent: [] };
  return withLevel(name, metric, examine(name, metric, own));
}

function withLevel(name: string, metric: Metric, finding: Finding | undefined): JudgedMetric {
  const { threshold = null, thresholdFrom = null } = finding?.cause ?? {};
  return { ...metric, unit: unitOf(name), level: finding?.verdict ?? 'unjudged', threshold, thresholdFrom };
}

function isMos(name: string): boolean {
  return unitOf(name) === 'mos' && !name.startsWith('Degradation');
}
