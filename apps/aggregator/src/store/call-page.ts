import type { Call } from '../calls/call.js';
import { Conditions, type CallFilter } from './call-filter.js';
import type { Transaction } from './database.js';

export type CallSort = 'newest' | 'oldest' | 'longest' | 'shortest';

export const CALL_SORTS: readonly CallSort[] = ['newest', 'oldest', 'longest', 'shortest'];

/** Where a page of calls ends: the next one goes on behind this call. */
export interface PagePosition {
  /** What is sorted by: milliseconds since 1970, or seconds of duration. */
  readonly value: number;
  readonly callKey: string;
}

export interface CallPage {
  readonly calls: readonly Call[];
  /** Undefined on the last page. */
  readonly next: PagePosition | undefined;
}

interface Order {
  readonly column: 'began_at' | 'duration_seconds';
  readonly direction: 'asc' | 'desc';
}

const ORDERS: Readonly<Record<CallSort, Order>> = {
  newest: { column: 'began_at', direction: 'desc' },
  oldest: { column: 'began_at', direction: 'asc' },
  longest: { column: 'duration_seconds', direction: 'desc' },
  shortest: { column: 'duration_seconds', direction: 'asc' },
};

interface CallRow {
  readonly call_key: string;
  readonly began_at: Date;
  readonly duration_seconds: number;
  readonly call: Call;
}

/** At most `limit` calls. By duration, only those are listed whose duration is known. */
export async function pageOf(
  transaction: Transaction,
  filter: CallFilter,
  sort: CallSort,
  limit: number,
  after?: PagePosition,
): Promise<CallPage> {
  const { column, direction } = ORDERS[sort];
  const conditions = new Conditions(filter);
  if (column === 'duration_seconds') conditions.always('duration_seconds >= 0');
  if (after) {
    const value = conditions.placeholder(column === 'began_at' ? new Date(after.value) : after.value);
    const key = conditions.placeholder(after.callKey);
    conditions.always(`(${column}, call_key) ${direction === 'asc' ? '>' : '<'} (${value}, ${key})`);
  }
  const { rows } = await transaction.query<CallRow>(
    `select call_key, began_at, duration_seconds, call from ${source(column, filter, conditions)}
     order by ${column} ${direction}, call_key ${direction} limit ${conditions.placeholder(limit + 1)}`,
    conditions.values,
  );
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const value = column === 'began_at' ? last?.began_at.getTime() : last?.duration_seconds;
  return {
    calls: page.map(({ call }) => call),
    next: last && value !== undefined ? { value, callKey: last.call_key } : undefined,
  };
}

/**
 * The longest calls of some time are found by the time. Left to itself, the database goes through all calls of every week by
 * their durations until it has enough of the right time, and in most weeks there is none. `offset 0` keeps it from that.
 */
function source(column: Order['column'], { from, to }: CallFilter, { where }: Conditions): string {
  if (column === 'began_at' || from === undefined || to === undefined) return `calls ${where}`;
  return `(select call_key, began_at, duration_seconds, call from calls ${where} offset 0) as chosen`;
}
