import { isPossible, possibleNumber, type MetricName } from '@ringdown/call-catalogue/metrics';
import { STREAM_METRICS } from '@ringdown/call-catalogue/statistics';
import type { Codec, Metric } from '@ringdown/xml-schemas/record';
import type { Verdict, VerdictCause, Withheld } from './verdicts.js';
import { defaultProfiles, lowerIsWorse, type MediumThresholds, type ThresholdProfile } from './thresholds.js';

/** The measured values of one stream. */
export interface Measured {
  readonly mediaType: string | null;
  readonly codecs: readonly Codec[];
  readonly metrics: Readonly<Record<string, Metric>>;
}

export interface Judgement {
  readonly verdict: Verdict;
  readonly cause: VerdictCause | null;
  /** Why there is no verdict. */
  readonly withheld: Withheld | null;
  /** Metrics that are absent and assumed to be zero. */
  readonly assumedZero: readonly string[];
  /** Whether any present metric could be judged. */
  readonly measured: boolean;
}

const SEVERITY: Readonly<Record<Verdict, number>> = { unknown: 0, good: 1, poor: 2, bad: 3 };

export function worst(verdicts: readonly Verdict[]): Verdict {
  return verdicts.reduce<Verdict>((a, b) => (SEVERITY[b] > SEVERITY[a] ? b : a), 'unknown');
}

/**
 * Our own verdict on one stream: good while every metric that can be judged is within its optimum, bad as soon as one
 * is beyond what is acceptable. A limit beside a value (1.0 and A) is what was acceptable at the sender and takes
 * precedence. An absent metric does not make a verdict worse: in a report that counts enough packets, metrics that
 * senders omit when they are zero are assumed to be zero, and marked.
 */
export function judge(stream: Measured, profile: ThresholdProfile): Judgement {
  const { metrics } = stream;
  const thresholds = thresholdsFor(stream, profile);
  if (hasTooFewPackets(metrics, thresholds)) {
    return { verdict: 'unknown', cause: null, withheld: 'tooFewPackets', assumedZero: [], measured: true };
  }
  const flowed = (possibleValue(metrics, 'PacketUtilization') ?? 0) > 0;
  const assumedZero = flowed ? (thresholds?.zeroWhenAbsent ?? []).filter((name) => !Object.hasOwn(metrics, name)) : [];
  const findings = findingsIn(metrics, thresholds);
  const verdict = worst([...findings.map((finding) => finding.verdict), ...assumedZero.map(() => 'good' as const)]);
  const measured = findings.length > 0;
  if (verdict === 'unknown') return { verdict, cause: null, withheld: 'nothingToJudge', assumedZero: [], measured };
  const worstFinding = findings
    .filter((finding) => finding.verdict === verdict)
    .sort(
      (a, b) => thresholdExcess(b.cause) - thresholdExcess(a.cause) || (a.cause.metric < b.cause.metric ? -1 : 1),
    )[0];
  const cause = verdict === 'good' ? null : (worstFinding?.cause ?? null);
  return { verdict, cause, withheld: null, assumedZero, measured };
}

/** The level of the metrics alone, by the default profile: also of a report of too few packets, as at the beginning of a call. */
export function metricsLevel(measured: Measured): Finding['verdict'] {
  const verdict = worst(
    findingsIn(measured.metrics, thresholdsFor(measured, defaultProfiles.D)).map((finding) => finding.verdict),
  );
  return verdict === 'unknown' ? 'good' : verdict;
}

function findingsIn(metrics: Measured['metrics'], thresholds: MediumThresholds | undefined): readonly Finding[] {
  return Object.entries(metrics).flatMap(([metric, value]) => examine(metric, value, thresholds) ?? []);
}

/**
 * Whether the report counts its packets, and too few were sent to be meaningful. Those that were lost count: a stream of
 * which nothing arrived is not a short one.
 */
export function hasTooFewPackets(metrics: Measured['metrics'], thresholds: MediumThresholds | undefined): boolean {
  const packets = possibleValue(metrics, 'PacketUtilization');
  if (packets === undefined) return false;
  const [lossRate = 0] = STREAM_METRICS.loss.elements.flatMap((name) => possibleValue(metrics, name) ?? []);
  return lossRate < 1 && packets / (1 - lossRate) < (thresholds?.minimumPackets ?? 0);
}

function possibleValue(metrics: Measured['metrics'], name: MetricName): number | undefined {
  return possibleNumber(name, ownValue(metrics, name));
}

export interface Finding {
  readonly verdict: Exclude<Verdict, 'unknown'>;
  readonly cause: VerdictCause;
}

/**
 * The factor by which the value is worse than its threshold, in either direction; for comparing metrics of different
 * units.
 */
export function thresholdExcess({ value, threshold }: VerdictCause): number {
  return value > threshold ? ratio(value, threshold) : ratio(threshold, value);
}

/** Undefined if the metric cannot be judged: it is a text, has an impossible value, or no threshold. */
export function examine(
  metric: string,
  { value, limit }: Metric,
  thresholds: MediumThresholds | undefined,
): Finding | undefined {
  const rule = ownValue(thresholds?.metrics, metric);
  const acceptable = limit ?? rule?.acceptable;
  if (typeof value !== 'number' || acceptable === undefined || !isPossible(metric, value)) return undefined;
  // Values for which more is better change their sign, so that from here on higher is worse.
  const sign = lowerIsWorse(metric, rule) ? -1 : 1;
  // A sender may be configured to report its optimum as the limit; our optimum is never laxer than what it calls
  // acceptable.
  const optimal = sign * Math.min(sign * (rule?.optimal ?? acceptable), sign * acceptable);
  const verdict = sign * value > sign * acceptable ? 'bad' : sign * value > sign * optimal ? 'poor' : 'good';
  const threshold = verdict === 'bad' ? acceptable : optimal;
  const thresholdFrom = threshold === limit ? 'sender' : 'profile';
  return { verdict, cause: { metric, value, threshold, thresholdFrom } };
}

export function thresholdsFor(measured: Measured, profile: ThresholdProfile): MediumThresholds | undefined {
  const { mediaType } = measured;
  if (mediaType === null) return undefined;
  return ownValue(profile, isVideoSharing(measured) ? 'videosharing' : mediaType);
}

/** Shared screens that are sent as video are measured as video too (diagnostics-feed.md, 3.12). */
function isVideoSharing({ mediaType, codecs, metrics }: Measured): boolean {
  if (mediaType !== 'applicationsharing') return false;
  return (
    codecs.some(({ name }) => /h264|rtvc/i.test(name)) || VIDEO_METRICS.some((name) => Object.hasOwn(metrics, name))
  );
}

const VIDEO_METRICS: readonly MetricName[] = [
  'RecvFrameRateAverage',
  'VideoPacketLossRate',
  'VideoLocalFrameLossPercentageAvg',
];

/** Names come from records: they must not match inherited properties. */
function ownValue<T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return values !== undefined && Object.hasOwn(values, name) ? values[name] : undefined;
}

function ratio(over: number, under: number): number {
  return under <= 0 ? Infinity : over / under;
}

/** `Good`, `Poor`, `Bad` as written by senders of C and D. */
export function senderVerdict(streamQuality: string | undefined): Verdict {
  const text = streamQuality?.toLowerCase();
  return text === 'good' || text === 'poor' || text === 'bad' ? text : 'unknown';
}
