import type { Call } from '../calls/call.js';
import { Conditions, type CallFilter } from './call-filter.js';
import type { Transaction } from './transaction.js';
import { callsByHour, wholeHoursOf } from './whole-hours.js';

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

const WEEK_MS = 7 * 86_400_000;
const STRETCHES_MS = [WEEK_MS, 4 * WEEK_MS];

interface CallRow {
  readonly call_key: string;
  readonly began_at: Date;
  readonly duration_seconds: number;
  readonly call: Call;
}

interface Question {
  readonly filter: CallFilter;
  readonly order: Order;
  readonly limit: number;
  readonly after: PagePosition | undefined;
}

/** At most `limit` calls. By duration, only those are listed whose duration is known. */
export async function pageOf(
  transaction: Transaction,
  filter: CallFilter,
  sort: CallSort,
  limit: number,
  after?: PagePosition,
): Promise<CallPage> {
  const order = ORDERS[sort];
  const question = { filter, order, limit, after };
  let rows: readonly CallRow[] = [];
  for (const within of await stretchesOf(transaction, question)) {
    rows = await rowsOf(transaction, question, within);
    if (rows.length > limit) break;
  }
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const value = order.column === 'began_at' ? last?.began_at.getTime() : last?.duration_seconds;
  return {
    calls: page.map(({ call }) => call),
    next: last && value !== undefined ? { value, callKey: last.call_key } : undefined,
  };
}

/** One more than fit on the page, if there are. `within`: see {@link stretchesOf}. */
async function rowsOf(
  transaction: Transaction,
  { filter, order, limit, after }: Question,
  within: Date | undefined,
): Promise<readonly CallRow[]> {
  const { column, direction } = order;
  const hours = column === 'duration_seconds' ? wholeHoursOf(filter) : undefined;
  const conditions = new Conditions(hours === undefined ? filter : {});
  if (column === 'duration_seconds') conditions.always('duration_seconds >= 0');
  conditions.add(within, (bound) => `began_at ${direction === 'asc' ? '<' : '>='} ${bound}`);
  if (after) {
    const value = conditions.placeholder(column === 'began_at' ? new Date(after.value) : after.value);
    const key = conditions.placeholder(after.callKey);
    conditions.always(`(${column}, call_key) ${direction === 'asc' ? '>' : '<'} (${value}, ${key})`);
  }
  const ending = `order by ${column} ${direction}, call_key ${direction} limit ${conditions.placeholder(limit + 1)}`;
  const from = hours === undefined ? source(column, filter, conditions) : callsByHour(hours, conditions, ending);
  const { rows } = await transaction.query<CallRow>(
    `select call_key, began_at, duration_seconds, call from ${from} ${ending}`,
    conditions.values,
  );
  return rows;
}

/**
 * Where a page is looked for: up to some time from where it begins, then further, at last everywhere (undefined). A page of
 * somebody's calls is nearly always in the first stretch, and looking everywhere at once reads all calls of somebody
 * out of all weeks, to sort them and take fifty.
 */
async function stretchesOf(
  transaction: Transaction,
  { filter, order, after }: Question,
): Promise<readonly (Date | undefined)[]> {
  if (order.column !== 'began_at' || filter.searchKeys === undefined) return [undefined];
  const backwards = order.direction === 'desc';
  const end = (backwards ? filter.from : filter.to)?.getTime();
  const begin = backwards
    ? Math.min(after?.value ?? Date.now(), filter.to?.getTime() ?? Infinity)
    : Math.max(after?.value ?? (await firstBegin(transaction)), filter.from?.getTime() ?? -Infinity);
  const bounds = STRETCHES_MS.map((length) => begin + (backwards ? -length : length));
  const inside = bounds.filter((bound) => end === undefined || (backwards ? bound > end : bound < end));
  return [...inside.map((bound) => new Date(bound)), undefined];
}

async function firstBegin(transaction: Transaction): Promise<number> {
  const { rows } = await transaction.query<{ first: Date | null }>('select min(began_at) as first from calls');
  return rows[0]?.first?.getTime() ?? 0;
}

/**
 * The longest calls of some time are found by the time. Left to itself, the database goes through all calls of every week by
 * their durations until it has enough of the right time, and in most weeks there is none. `offset 0` keeps it from that.
 */
function source(column: Order['column'], { from, to }: CallFilter, { where }: Conditions): string {
  if (column === 'began_at' || from === undefined || to === undefined) return `calls ${where}`;
  return `(select call_key, began_at, duration_seconds, call from calls ${where} offset 0) as chosen`;
}
