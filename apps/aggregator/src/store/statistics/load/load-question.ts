import { Conditions } from '../../../search/filter/call-filter.js';
import type { SiteSubnet } from '../../../search/sites/load-sites.js';
import { isoTime } from '../../../calls/streams/report-source.js';
import type { Database } from '../../database/database.js';
import { bucketTime, type Buckets } from '../buckets.js';
import type { Load, LoadCounts, LoadOfValue, LoadQuestion } from './load.js';
import { loadSteps } from './load-steps.js';
import { loadSums, MINUTE_SECONDS } from './load-sums.js';

interface Row {
  readonly value: string | null;
  readonly values: number;
  readonly peak: number;
  readonly peakMinute: number;
  readonly p95Calls: number;
  readonly p95Average: number;
  readonly widest: number;
  readonly widestMinute: number;
  readonly attempts: number;
  readonly busiest: number;
  readonly busiestMinute: number;
  readonly limit: number | null;
  readonly minutesAbove: number | null;
  /** Of each bucket that is not empty, in ascending order; null if all are: */
  readonly buckets: readonly number[] | null;
  readonly calls: readonly number[] | null;
  readonly averages: readonly number[] | null;
  readonly maximums: readonly number[] | null;
  readonly begun: readonly number[] | null;
  readonly most: readonly number[] | null;
}

/** The load from the matching calls, whenever they began. */
export async function loadOf(
  database: Database,
  sites: readonly SiteSubnet[],
  question: LoadQuestion,
): Promise<LoadCounts> {
  const { filter, buckets, by } = question;
  const conditions = new Conditions({ ...filter, from: undefined, to: undefined });
  const sql = `with ${loadSteps(conditions, sites, question)}, ${loadSums(conditions, buckets, by)}`;
  const { rows } = await database.readLagging((transaction) => transaction.query<Row>(sql, conditions.values));
  const items = rows.flatMap((row) => itemsOfValue(row, buckets));
  return {
    values: rows.map((row) => loadOfValue(row, buckets)),
    valuesLeftOut: Math.max(0, (rows[0]?.values ?? 0) - rows.length),
    items: by === undefined ? withEmptyBuckets(items, buckets) : byTime(items),
  };
}

function loadOfValue(row: Row, { from }: Buckets): LoadOfValue {
  const at = (number: number, minute: number): string | null =>
    number === 0 ? null : isoTime(from.getTime() + minute * MINUTE_SECONDS * 1_000);
  return {
    value: row.value,
    peak: { calls: row.peak, at: at(row.peak, row.peakMinute) },
    p95: { calls: row.p95Calls, averageBandwidth: row.p95Average },
    bandwidthPeak: { averageBandwidth: row.widest, at: at(row.widest, row.widestMinute) },
    attempts: row.attempts,
    attemptsPeak: { perSecond: row.busiest / MINUTE_SECONDS, at: at(row.busiest, row.busiestMinute) },
    limit: row.limit,
    minutesAboveLimit: row.minutesAbove,
  };
}

function itemsOfValue(row: Row, buckets: Buckets): readonly Load[] {
  return (row.buckets ?? []).map((bucket, n) => ({
    at: bucketTime(buckets, bucket),
    value: row.value,
    calls: row.calls?.[n] ?? 0,
    averageBandwidth: row.averages?.[n] ?? 0,
    maximumBandwidth: row.maximums?.[n] ?? 0,
    attempts: row.begun?.[n] ?? 0,
    attemptsPerSecond: (row.most?.[n] ?? 0) / MINUTE_SECONDS,
  }));
}

function withEmptyBuckets(items: readonly Load[], buckets: Buckets): readonly Load[] {
  const { from, to, seconds } = buckets;
  const known = new Map(items.map((item) => [item.at, item]));
  const length = Math.ceil((to.getTime() - from.getTime()) / (seconds * 1_000));
  const nothing = {
    value: null,
    calls: 0,
    averageBandwidth: 0,
    maximumBandwidth: 0,
    attempts: 0,
    attemptsPerSecond: 0,
  };
  return Array.from({ length }, (_, bucket) => {
    const at = bucketTime(buckets, bucket);
    return known.get(at) ?? { at, ...nothing };
  });
}

/** Values keep their order. */
function byTime(items: readonly Load[]): readonly Load[] {
  return items.toSorted((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)));
}
