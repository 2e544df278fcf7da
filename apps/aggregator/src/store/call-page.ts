import { callKey } from '../calls/call-keys.js';
import type { Call } from '../calls/call.js';
import { Conditions, type CallFilter } from './call-filter.js';
import { orderOf, type CallSort, type Order } from './call-orders.js';
import { timeIn } from './clock.js';
import type { Transaction } from './transaction.js';
import { callsByHour, wholeHoursOf } from './whole-hours.js';

/** Where a page of calls ends: the next one continues after this call. */
export interface PagePosition {
  /** The value to sort by; of a time, milliseconds since 1970. */
  readonly value: number;
  readonly callKey: string;
}

export interface CallPage {
  readonly calls: readonly Call[];
  /** Undefined on the last page. */
  readonly next: PagePosition | undefined;
}

const WEEK_MS = 7 * 86_400_000;
const STRETCHES_MS = [WEEK_MS, 4 * WEEK_MS];

/** The maximum size of one page in characters, not counting its first call: usual calls have 3,000 to 6,000. */
const PAGE_CHARACTERS = 4 * 1_024 * 1_024;

interface CallRow {
  readonly call: Call;
  /** How many calls there are, up to one more than the page may have. */
  readonly found: number;
}

interface Question {
  readonly filter: CallFilter;
  readonly order: Order;
  readonly limit: number;
  readonly after: PagePosition | undefined;
}

/** At most `limit` calls. Only calls are listed of which the value to sort by is known. */
export async function pageOf(
  transaction: Transaction,
  filter: CallFilter,
  sort: CallSort,
  limit: number,
  after?: PagePosition,
): Promise<CallPage> {
  const order = orderOf(sort);
  const question = { filter, order, limit, after };
  let rows: readonly CallRow[] = [];
  for (const within of await stretchesOf(transaction, question)) {
    rows = await rowsOf(transaction, question, within);
    if (isMore(rows, limit)) break;
  }
  const page = rows.slice(0, limit);
  const last = isMore(rows, limit) ? page.at(-1) : undefined;
  return { calls: page.map(({ call }) => call), next: last && endOfPage(last.call, sort) };
}

/** The position of a page that ends with this call. Undefined for a call that is on no page in this order. */
export function endOfPage(call: Call, sort: CallSort): PagePosition | undefined {
  const value = orderOf(sort).valueOf(call);
  return value === undefined ? undefined : { value, callKey: callKey(call.callId) };
}

/** Whether more calls were found than fit on one page, by number or by size. */
function isMore(rows: readonly CallRow[], limit: number): boolean {
  return rows.length > limit || rows.length < (rows[0]?.found ?? 0);
}

/**
 * One more than fits on the page, if there are that many, but no more than {@link PAGE_CHARACTERS}. `within`: see
 * {@link stretchesOf}.
 */
async function rowsOf(
  transaction: Transaction,
  { filter, order, limit, after }: Question,
  within: Date | undefined,
): Promise<readonly CallRow[]> {
  const { expression, isTime, isKnown, direction } = order;
  const hours = isByDuration(order) ? wholeHoursOf(filter) : undefined;
  const conditions = new Conditions(hours === undefined ? filter : {});
  if (isKnown !== undefined) conditions.always(isKnown);
  conditions.add(within, (bound) => `began_at ${direction === 'asc' ? '<' : '>='} ${bound}`);
  if (after) {
    const value = conditions.placeholder(isTime ? new Date(after.value) : after.value);
    const key = conditions.placeholder(after.callKey);
    conditions.always(`(${expression}, call_key) ${direction === 'asc' ? '>' : '<'} (${value}, ${key})`);
  }
  const ending = `order by ${expression} ${direction}, call_key ${direction} limit ${conditions.placeholder(limit + 1)}`;
  const from = hours === undefined ? source(order, filter, conditions) : callsByHour(hours, conditions, ending);
  const sorting = `order by sorted_by ${direction}, call_key ${direction}`;
  const { rows } = await transaction.query<CallRow>(
    `select call, found from (
       select *, (count(*) over ())::integer as found, sum(octet_length(call::text)) over (
         ${sorting} rows between unbounded preceding and 1 preceding
       ) as characters_before
       from (select call_key, ${expression} as sorted_by, call from ${from} ${ending}) as page
     ) as so_far
     where coalesce(characters_before, 0) < ${PAGE_CHARACTERS} ${sorting}`,
    conditions.values,
  );
  return rows;
}

/**
 * The time ranges in which a page is searched: first a range from where the page begins, then a longer one, finally
 * everything (undefined). A page of one user's calls is nearly always in the first range. Searching everything at once
 * would read all calls of a user from all weeks, to sort them and return fifty.
 */
async function stretchesOf(
  transaction: Transaction,
  { filter, order, after }: Question,
): Promise<readonly (Date | undefined)[]> {
  if (order.expression !== 'began_at' || filter.searchKeys === undefined) return [undefined];
  const backwards = order.direction === 'desc';
  const end = (backwards ? filter.from : filter.to)?.getTime();
  const begin = backwards
    ? Math.min(after?.value ?? (await timeIn(transaction)), filter.to?.getTime() ?? Infinity)
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
 * The longest calls of a period are found by time. Otherwise the database would scan all calls of every week by their
 * durations until it has enough from the right period, and most weeks have none. `offset 0` prevents that.
 */
function source(order: Order, { from, to }: CallFilter, { where }: Conditions): string {
  if (!isByDuration(order) || from === undefined || to === undefined) return `calls ${where}`;
  return `(select call_key, duration_seconds, call from calls ${where} offset 0) as chosen`;
}

/** There are indexes for that. */
function isByDuration({ expression }: Order): boolean {
  return expression === 'duration_seconds';
}
