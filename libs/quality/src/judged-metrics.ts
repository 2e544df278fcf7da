import { metricRow, metricUnit, type MetricUnit } from '@ringdown/call-catalogue/metrics';
import type { Metric } from '@ringdown/xml-schemas/record';
import { profileOfMetric, type ProfileName, type ThresholdProfiles } from './thresholds.js';
import { examine, hasTooFewPackets, thresholdsFor, type Finding, type Measured } from './verdict.js';

/** The measured values of one stream in records of one version. */
export interface MeasuredIn extends Measured {
  readonly version?: ProfileName;
}

export type MetricLevel = 'good' | 'poor' | 'bad' | 'unjudged';

/** A metric beside the threshold that decides its level. */
export interface JudgedMetric extends Metric {
  readonly unit: MetricUnit | null;
  readonly level: MetricLevel;
  /** Of a bad value: the acceptable one; otherwise the optimum. Null if there is none. */
  readonly threshold: number | null;
  readonly thresholdFrom: 'sender' | 'profile' | null;
  /** Whose threshold it is, if it is from a profile. */
  readonly profile: ProfileName | null;
}

/** Each metric of a report with its level. A report of too few packets is not meaningful: nothing of it is judged. */
export function judgedMetrics(
  measured: MeasuredIn,
  profiles: ThresholdProfiles,
): Readonly<Record<string, JudgedMetric>> {
  const { metrics, version = 'D' } = measured;
  const isMeaningful = !hasTooFewPackets(metrics, thresholdsFor(measured, profiles[version]));
  const judged = Object.entries(metrics).map(([name, metric]) => {
    const profile = profileOfMetric(name, version);
    if (!isMeaningful) return [name, withLevel(name, metric, profile, undefined)] as const;
    if (isMos(name)) return [name, judgedMos(name, metric, version, profiles)] as const;
    const found = examine(metricRow(name)?.judgedAs ?? name, metric, thresholdsFor(measured, profiles[profile]));
    return [name, withLevel(name, metric, profile, found)] as const;
  });
  return Object.fromEntries(judged);
}

/** All mean opinion scores are of audio, also where a report does not name its medium. */
export function judgedMos(
  name: string,
  metric: Metric,
  version: ProfileName,
  profiles: ThresholdProfiles,
): JudgedMetric {
  const profile = profileOfMetric(name, version);
  const { audio } = profiles[profile];
  const mos = audio?.metrics[name] ?? audio?.mos;
  const own = mos && { metrics: { [name]: mos }, minimumPackets: 0, zeroWhenAbsent: [] };
  return withLevel(name, metric, profile, examine(name, metric, own));
}

function withLevel(name: string, metric: Metric, profile: ProfileName, finding: Finding | undefined): JudgedMetric {
  const { threshold = null, thresholdFrom = null } = finding?.cause ?? {};
  return {
    ...metric,
    unit: metricUnit(name),
    level: finding?.verdict ?? 'unjudged',
    threshold,
    thresholdFrom,
    profile: thresholdFrom === 'profile' ? profile : null,
  };
}

function isMos(name: string): boolean {
  return metricUnit(name) === 'mos' && !name.startsWith('Degradation');
}
