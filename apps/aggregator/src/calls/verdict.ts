import type { Metric } from '@ringdown/xml-schemas';
import type { Verdict, VerdictCause } from './call.js';
import { lowerIsWorse, type Threshold, type ThresholdProfile } from './thresholds.js';

export interface Judgement {
  readonly verdict: Verdict;
  readonly cause: VerdictCause | null;
}

const SEVERITY: Readonly<Record<Verdict, number>> = { unknown: 0, good: 1, poor: 2, bad: 3 };

export function worst(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce<Verdict>((a, b) => (SEVERITY[b] > SEVERITY[a] ? b : a), 'unknown');
}

/**
 * Our own verdict on one stream: good while every metric that can be judged is within its optimum, bad as soon as one
 * is beyond what is acceptable. A limit beside a value (1.0 and A) is what was acceptable at the sender and wins.
 * Senders leave out zeros, so a metric that is absent is no reason for anything.
 */
export function judge(
  mediaType: string | null,
  metrics: Readonly<Record<string, Metric>>,
  profile: ThresholdProfile,
): Judgement {
  const findings = Object.entries(metrics).flatMap(
    ([metric, measured]) => examine(metric, measured, mediaType, profile) ?? [],
  );
  const verdict = worst(findings.map((finding) => finding.verdict));
  if (verdict === 'good' || verdict === 'unknown') return { verdict, cause: null };
  const culprit = findings
    .filter((finding) => finding.verdict === verdict)
    .sort((a, b) => b.excess - a.excess || (a.cause.metric < b.cause.metric ? -1 : 1))[0];
  return { verdict, cause: culprit?.cause ?? null };
}

interface Finding {
  readonly verdict: Verdict;
  readonly cause: VerdictCause;
  /** How many times the threshold; compares metrics of different units. */
  readonly excess: number;
}

function examine(
  metric: string,
  { value, limit }: Metric,
  mediaType: string | null,
  profile: ThresholdProfile,
): Finding | undefined {
  const rule = ruleFor(metric, mediaType, profile);
  const acceptable = limit ?? rule?.acceptable;
  if (typeof value !== 'number' || acceptable === undefined) return undefined;
  // Values of which more is better change their sign, so that from here on higher is worse.
  const sign = lowerIsWorse(metric) ? -1 : 1;
  // A sender may be set to report its optimum as the limit; ours is never laxer than what it calls acceptable.
  const optimal = sign * Math.min(sign * (rule?.optimal ?? acceptable), sign * acceptable);
  const verdict = sign * value > sign * acceptable ? 'bad' : sign * value > sign * optimal ? 'poor' : 'good';
  const threshold = verdict === 'bad' ? acceptable : optimal;
  const thresholdFrom = threshold === limit ? 'sender' : 'profile';
  const excess = sign > 0 ? ratio(value, threshold) : ratio(threshold, value);
  return { verdict, cause: { metric, value, threshold, thresholdFrom }, excess };
}

function ruleFor(metric: string, mediaType: string | null, profile: ThresholdProfile): Threshold | undefined {
  const rules = mediaType !== null && Object.hasOwn(profile, mediaType) ? profile[mediaType] : undefined;
  return rules !== undefined && Object.hasOwn(rules, metric) ? rules[metric] : undefined;
}

function ratio(over: number, under: number): number {
  return under <= 0 ? Infinity : over / under;
}

/** `Good`, `Poor`, `Bad` as senders of C and D write it. */
export function senderVerdict(streamQuality: string | undefined): Verdict {
  const text = streamQuality?.toLowerCase();
  return text === 'good' || text === 'poor' || text === 'bad' ? text : 'unknown';
}
