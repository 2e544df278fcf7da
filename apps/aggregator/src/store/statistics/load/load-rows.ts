import { Conditions } from '../../../search/filter/call-filter.js';
import type { SiteSubnet } from '../../../search/sites/load-sites.js';
import type { Transaction } from '../../database/transaction.js';
import type { MinuteLoad } from '../hours/packed-minutes.js';
import { refuseTooMany } from './too-many-calls.js';
import type { LoadQuestion } from './load.js';
import { loadSteps } from './load-steps.js';
import { loadSums } from './load-sums.js';

/** The load of one value, as the database sums it up. */
export interface LoadRow {
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

/** A shorter time never has too many calls to be asked for. */
const SHORT_MS = 6 * 3_600_000;
/** Calls that are added up in about five seconds: alone, by their values, and by the sites of their streams. */
const MOST_CALLS = { together: 200_000, byValue: 100_000, bySite: 40_000 } as const;

/** Directly from the calls. Rejects with `TooManyCalls`. */
export async function loadRows(
  transaction: Transaction,
  sites: readonly SiteSubnet[],
  question: LoadQuestion,
): Promise<readonly LoadRow[]> {
  const { filter, buckets, by } = question;
  if (buckets.to.getTime() - buckets.from.getTime() > SHORT_MS) {
    const { from, to } = buckets;
    const most = by === undefined ? MOST_CALLS.together : MOST_CALLS[by === 'site' ? 'bySite' : 'byValue'];
    await refuseTooMany(transaction, new Conditions({ ...filter, from, to }), buckets, most);
  }
  const conditions = new Conditions({ ...filter, from: undefined, to: undefined });
  const sql = `with ${loadSteps(conditions, sites, question)}, ${loadSums(conditions, buckets, by)}`;
  return (await transaction.query<LoadRow>(sql, conditions.values)).rows;
}

/** Of buckets that are minutes. */
export function minuteLoads(row: LoadRow): readonly MinuteLoad[] {
  return (row.buckets ?? []).map((minute, n) => {
    return {
      minute,
      calls: row.calls?.[n] ?? 0,
      average: row.averages?.[n] ?? 0,
      maximum: row.maximums?.[n] ?? 0,
      begun: row.begun?.[n] ?? 0,
    };
  });
}
