import { Conditions, type CallFilter } from '../../search/filter/call-filter.js';
import { withStaleCalls } from './stale-calls.js';
import type { Transaction } from '../database/transaction.js';

/** How many calls a filter finds. */
export interface CallTotal {
  readonly calls: number;
  /** False: the database has estimated it, from samples of the calls. */
  readonly exact: boolean;
}

/** Counting more takes longer than a reader waits, and nobody needs the last digit. */
const COUNTED = 10_000;

interface Plan {
  readonly 'QUERY PLAN': readonly [{ readonly Plan: { readonly 'Plan Rows': number } }];
}

/** Exact up to {@link COUNTED} calls, else estimated, and never less than that. */
export async function readCallTotal(transaction: Transaction, filter: CallFilter): Promise<CallTotal> {
  const { where, values } = new Conditions(await withStaleCalls(transaction, filter));
  const counted = await transaction.query<{ calls: number }>(
    `select count(*)::integer as calls from (select from calls ${where} limit ${COUNTED + 1}) as found`,
    values,
  );
  const calls = counted.rows[0]?.calls ?? 0;
  if (calls <= COUNTED) return { calls, exact: true };
  const { rows } = await transaction.query<Plan>(`explain (format json) select from calls ${where}`, values);
  const estimated = rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
  return { calls: Math.max(estimated, calls), exact: false };
}
