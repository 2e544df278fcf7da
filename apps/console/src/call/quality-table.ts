import type { CallQuality, Endpoint, Metric, StreamMos } from '../api/answers.js';
import { METRIC_ELEMENTS, METRIC_UNITS, MORE_IS_BETTER, SCORE_ELEMENTS, SCORE_KINDS } from '../api/catalogue.js';
import { shownSipAddress } from '../parts/format.js';

/** One medium between two ends: the reports on both of its directions. */
export interface MeasuredMedium {
  readonly mediaType: string | null;
  /** From the caller, if the call knows it. */
  readonly there: CallQuality;
  /** Undefined if nobody reported on it. */
  readonly back: CallQuality | undefined;
}

/** One metric in both directions. */
export interface MetricRow {
  readonly name: string;
  readonly there: Metric | undefined;
  readonly back: Metric | undefined;
}

export interface MetricRows {
  /** With a threshold: MOS first, then the worst. */
  readonly judged: readonly MetricRow[];
  /** Without a threshold, in the order of the report. */
  readonly others: readonly MetricRow[];
}

/** Pairs the reports on the two directions of each medium. */
export function measuredMedia(
  quality: readonly CallQuality[],
  caller: Endpoint | undefined,
): readonly MeasuredMedium[] {
  const open = [...quality];
  const media: MeasuredMedium[] = [];
  for (let one = open.shift(); one !== undefined; one = open.shift()) {
    const found = open.findIndex((each) => one !== undefined && isReverse(each, one));
    const other = found === -1 ? undefined : open.splice(found, 1)[0];
    const isTurned = other !== undefined && isSameEnd(other.from, caller) && !isSameEnd(one.from, caller);
    const [there, back] = isTurned ? [other, one] : [one, other];
    media.push({ mediaType: one.mediaType, there, back });
  }
  return media;
}

function isReverse(one: CallQuality, other: CallQuality): boolean {
  return one.mediaType === other.mediaType && isSameEnd(one.from, other.to) && isSameEnd(one.to, other.from);
}

/** Whether two endpoints are the same device of the same user, as far as it is known. */
export function isSameEnd(one: Endpoint | null | undefined, other: Endpoint | null | undefined): boolean {
  if (!one || !other) return false;
  if (one.id !== undefined && other.id !== undefined) return one.id === other.id;
  if (one.epId !== undefined && other.epId !== undefined) return one.epId === other.epId;
  if (one.uri !== undefined && other.uri !== undefined) return shownSipAddress(one.uri) === shownSipAddress(other.uri);
  return one.ip !== undefined && one.ip === other.ip;
}

/** Elements whose value is in `mos` as well. */
const SCORE_NAMES: readonly string[] = Object.values(SCORE_ELEMENTS).flat();
/** In this order among those of the same level. */
const FIRST: readonly string[] = Object.values(METRIC_ELEMENTS).flat();
const SEVERITY: Readonly<Record<NonNullable<Metric['level']>, number>> = { bad: 3, poor: 2, good: 1, unjudged: 0 };

/** The metrics of both directions, those that matter first. */
export function metricRows({ there, back }: Pick<MeasuredMedium, 'there' | 'back'>): MetricRows {
  const [one, other] = [withMos(there), withMos(back)];
  const names = [...new Set([...one.keys(), ...other.keys()])];
  const rows = names.map((name) => ({ name, there: one.get(name), back: other.get(name) }));
  return {
    judged: rows
      .filter(isJudged)
      .toSorted((a, b) => metricRowRank(b) - metricRowRank(a) || metricRowPlace(a) - metricRowPlace(b)),
    others: rows.filter((row) => !isJudged(row)),
  };
}

function isJudged(row: MetricRow): boolean {
  return isMos(row.name) || severityOf(row) > 0;
}

/** All metrics of a report by name, with the scores that the server computed. */
function withMos(quality: CallQuality | undefined): ReadonlyMap<string, Metric> {
  if (quality === undefined) return new Map();
  const { metrics, mos = {} } = quality;
  const found = SCORE_KINDS.flatMap((kind) => scoreOf(kind, mos, metrics));
  return new Map([...found, ...Object.entries(metrics)].filter(([name], at, all) => isFirst(name, at, all)));
}

function scoreOf(
  kind: (typeof SCORE_KINDS)[number],
  mos: StreamMos,
  metrics: CallQuality['metrics'],
): readonly (readonly [string, Metric])[] {
  const score = mos[kind];
  if (score === undefined) return [];
  const names: readonly string[] = SCORE_ELEMENTS[kind];
  const name = names.find((each) => metrics[each]?.value === score.value) ?? names[0] ?? kind;
  return [[name, score]];
}

function isFirst(name: string, at: number, all: readonly (readonly [string, Metric])[]): boolean {
  return all.findIndex(([each]) => each === name) === at;
}

function isMos(name: string): boolean {
  return SCORE_NAMES.includes(name);
}

function metricRowRank(row: MetricRow): number {
  return isMos(row.name) ? 4 : severityOf(row);
}

function severityOf({ there, back }: MetricRow): number {
  return Math.max(SEVERITY[there?.level ?? 'unjudged'], SEVERITY[back?.level ?? 'unjudged']);
}

function metricRowPlace({ name }: MetricRow): number {
  if (isMos(name)) return SCORE_NAMES.indexOf(name);
  const place = FIRST.indexOf(name);
  return place === -1 ? FIRST.length : place;
}

/** Which of the two thresholds a metric is compared with, and in which direction. */
export interface ShownThreshold {
  readonly sign: '≤' | '≥';
  readonly value: number;
  readonly kind: 'acceptable' | 'optimal';
  readonly isOfSender: boolean;
}

/** Of metrics without a row, of future senders. */
const UNITS_OF_MORE: ReadonlySet<Metric['unit']> = new Set(['mos', '1/s', 'bit/s']);

export function shownThreshold(name: string, metric: Metric): ShownThreshold | undefined {
  const { value, threshold, level, thresholdFrom, unit } = metric;
  if (typeof threshold !== 'number' || typeof value !== 'number') return undefined;
  const isWithin = level === 'good';
  const isLowerWorse = value === threshold ? isMoreBetter(name, unit) : value > threshold === isWithin;
  const kind = level === 'bad' ? 'acceptable' : 'optimal';
  return { sign: isLowerWorse ? '≥' : '≤', value: threshold, kind, isOfSender: thresholdFrom === 'sender' };
}

function isMoreBetter(name: string, unit: Metric['unit']): boolean {
  return Object.hasOwn(METRIC_UNITS, name) ? MORE_IS_BETTER.includes(name) : UNITS_OF_MORE.has(unit);
}
