import { Conditions } from '../../../search/filter/call-filter.js';
import type { SiteSubnet } from '../../../search/sites/load-sites.js';
import type { Transaction } from '../../database/transaction.js';
import type { MinuteLoad } from '../hours/packed-minutes.js';
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

/** Directly from the calls. */
export async function loadRows(
  transaction: Transaction,
  sites: readonly SiteSubnet[],
  question: LoadQuestion,
): Promise<readonly LoadRow[]> {
  const { filter, buckets, by } = question;
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
