import type { SiteSubnet } from '../../../search/sites/load-sites.js';
import { isoTime } from '../../../calls/streams/report-source.js';
import type { Database } from '../../database/database.js';
import type { Transaction } from '../../database/transaction.js';
import { filteredLoadRows } from './filtered-load.js';
import { keptLoadRows, limitsOf } from './kept-load.js';
import { loadRows, type LoadRow } from './load-rows.js';
import { bucketTime, type Buckets } from '../buckets.js';
import { byValue } from '../hours/by-value.js';
import type { Load, LoadCounts, LoadOfValue, LoadQuestion } from './load.js';
import { LoadSum } from './load-sum.js';
import { MINUTE_SECONDS } from './load-sums.js';

/** The load: from the counts of whole hours where they are kept, else from the matching calls, whenever they began. */
export async function loadOf(
  database: Database,
  sites: readonly SiteSubnet[],
  question: LoadQuestion,
): Promise<LoadCounts> {
  const { buckets, by, only } = question;
  const rows = await database.readLagging(async (transaction) => {
    const kept =
      (await keptLoadRows(transaction, sites, question)) ?? (await filteredLoadRows(transaction, sites, question));
    return withIdleValues(transaction, kept ?? (await loadRows(transaction, sites, question)), question);
  });
  const sorted = rows.toSorted((a, b) => b.peak - a.peak || byValue(a.value, b.value));
  const items = sorted.flatMap((row) => itemsOfValue(row, buckets));
  return {
    values: sorted.map((row) => loadOfValue(row, buckets)),
    valuesLeftOut: only === undefined ? Math.max(0, (rows[0]?.values ?? 0) - rows.length) : 0,
    items: by === undefined ? withEmptyBuckets(items, buckets) : byTime(items),
  };
}

/** Values that were asked for also have a row where they had no calls: with zeros, and with the limit of a trunk. */
async function withIdleValues(
  transaction: Transaction,
  rows: readonly LoadRow[],
  { buckets, by, only }: LoadQuestion,
): Promise<readonly LoadRow[]> {
  const known = new Set(rows.map(({ value }) => value));
  const idle = [...new Set(only)].filter((value) => !known.has(value));
  if (idle.length === 0) return rows;
  const limits = await limitsOf(transaction, by);
  return [...rows, ...idle.map((value) => ({ value, values: 0, ...new LoadSum(buckets, limits.get(value)).row() }))];
}

function loadOfValue(row: LoadRow, { from }: Buckets): LoadOfValue {
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

function itemsOfValue(row: LoadRow, buckets: Buckets): readonly Load[] {
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
