import { callKey } from '../../calls/call-keys.js';
import type { Call } from '../../calls/call.js';
import { Conditions, type CallFilter } from '../../search/filter/call-filter.js';
import { orderOf, type CallSort, type Order } from './call-orders.js';
import { timeIn } from '../database/clock.js';
import { rowsWithRoom } from './rows-with-room.js';
import { STORED_CALL, storedCall, type StoredCallRow } from '../records/stored-call.js';
import { withStaleCalls } from './stale-calls.js';
import type { Transaction } from '../database/transaction.js';
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

const DAY_MS = 86_400_000;
const STRETCHES_MS = [DAY_MS, 7 * DAY_MS, 28 * DAY_MS];

/** Up to so many calls of a search are found by its indexes and then sorted. */
const FEW_CALLS = 500;

/** The maximum size of one page in characters, not counting its first call: usual calls have 3,000 to 6,000. */
const PAGE_CHARACTERS = 4 * 1_024 * 1_024;

interface CallRow extends StoredCallRow {
  readonly characters: number;
  /** How many calls there are, up to one more than the page may have. */
  readonly found: number;
  /** How many were sorted, if only a few were to be. */
  readonly candidates: number | null;
}

interface Question {
  readonly filter: CallFilter;
  readonly isSearch: boolean;
  readonly order: Order;
  readonly limit: number;
  readonly after: PagePosition | undefined;
}

/** Calls that began in [from, to); an absent end is open. */
interface Stretch {
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  /** Begins where the page does, and is at most a day. */
  readonly isFirst?: boolean;
}

/** What is left of a page. */
interface Room {
  readonly calls: number;
  readonly characters: number;
}

/** At most `limit` calls. Only calls are listed of which the value to sort by is known. */
export async function readCallPage(
  transaction: Transaction,
  filter: CallFilter,
  sort: CallSort,
  limit: number,
  after?: PagePosition,
): Promise<CallPage> {
  const isSearch = [filter.searchKeys, filter.words].some((parts) => parts !== undefined && parts.length > 0);
  const withStale = await withStaleCalls(transaction, filter);
  const question = { filter: withStale, isSearch, order: orderOf(sort), limit, after };
  const { calls, isMore } = await collect(transaction, question);
  const last = isMore ? calls.at(-1) : undefined;
  return { calls, next: last && endOfPage(last, sort) };
}

/** Stretch by stretch, until the page is full: the same calls as those of one query for everything. */
async function collect(
  transaction: Transaction,
  question: Question,
): Promise<{ readonly calls: readonly Call[]; readonly isMore: boolean }> {
  const calls: Call[] = [];
  let characters = PAGE_CHARACTERS;
  for (const stretch of await stretchesOf(transaction, question)) {
    const room = { calls: question.limit - calls.length, characters };
    const rows = await rowsIn(transaction, question, stretch, room);
    const fitting = characters > 0 ? rows.slice(0, room.calls) : [];
    calls.push(...fitting.map(storedCall));
    characters -= fitting.reduce((sum, row) => sum + row.characters, 0);
    if (fitting.length < (rows[0]?.found ?? 0)) return { calls, isMore: true };
  }
  return { calls, isMore: false };
}

/** The position of a page that ends with this call. Undefined for a call that is on no page in this order. */
export function endOfPage(call: Call, sort: CallSort): PagePosition | undefined {
  const value = orderOf(sort).valueOf(call);
  return value === undefined ? undefined : { value, callKey: callKey(call.callId) };
}

/**
 * For what few calls have, the planner expects more of them than there are, and would read all calls of weeks in the order of the
 * page. So a search finds a few first. A stretch that begins with the page is short, and what many calls have fills the page there.
 */
async function rowsIn(
  transaction: Transaction,
  question: Question,
  stretch: Stretch,
  room: Room,
): Promise<readonly CallRow[]> {
  if (question.isSearch && !stretch.isFirst) {
    const few = await callRowsInStretch(transaction, question, stretch, room, FEW_CALLS);
    if ((few[0]?.candidates ?? 0) <= FEW_CALLS) return few;
  }
  return callRowsInStretch(transaction, question, stretch, room);
}

/**
 * One more than there is room for, by number or by size, if there are that many; the first one always. With `few`, of any calls up
 * to one more than so many.
 */
async function callRowsInStretch(
  transaction: Transaction,
  { filter, order, after }: Question,
  { from: stretchFrom, to: stretchTo }: Stretch,
  room: Room,
  few?: number,
): Promise<readonly CallRow[]> {
  const { expression, isTime, isKnown, direction } = order;
  const hours = isByDuration(order) ? wholeHoursOf(filter) : undefined;
  const conditions = new Conditions(hours === undefined ? filter : {});
  if (isKnown !== undefined) conditions.always(isKnown);
  conditions.add(stretchFrom, (bound) => `began_at >= ${bound}`);
  conditions.add(stretchTo, (bound) => `began_at < ${bound}`);
  if (after) {
    const value = conditions.placeholder(isTime ? new Date(after.value) : after.value);
    const key = conditions.placeholder(after.callKey);
    conditions.always(`(${expression}, call_key) ${direction === 'asc' ? '>' : '<'} (${value}, ${key})`);
  }
  const sorting = `order by sorted_by ${direction}, call_key ${direction}`;
  const limit = `limit ${conditions.placeholder(room.calls + 1)}`;
  const row = `select call_key, ${expression} as sorted_by, call, call_bytes, packed_records`;
  let page: string;
  if (few === undefined) {
    const ending = `order by ${expression} ${direction}, call_key ${direction} ${limit}`;
    const from = hours === undefined ? source(order, filter, conditions) : callsByHour(hours, conditions, ending);
    page = `${row}, null::integer as candidates from ${from} ${ending}`;
  } else {
    const some = `${row} from calls ${conditions.where} limit ${conditions.placeholder(few + 1)}`;
    page = `select *, (count(*) over ())::integer as candidates from (${some}) as few ${sorting} ${limit}`;
  }
  const statement = rowsWithRoom({
    page,
    columns: `${STORED_CALL}, characters, found, candidates`,
    sorting,
    mostCharacters: PAGE_CHARACTERS,
    room: conditions.placeholder(room.characters),
  });
  const { rows } = await transaction.query<CallRow>(statement, conditions.values);
  return rows;
}

/**
 * The time ranges in which a page is searched, one after the other in its order: from where the page begins, each longer than the
 * one before, and finally everything that is left. A page is nearly always full after the first ones. Searching everything at once
 * would read all calls of a user or with a word from all weeks, to sort them and return fifty.
 */
async function stretchesOf(
  transaction: Transaction,
  { filter, isSearch, order, after }: Question,
): Promise<readonly Stretch[]> {
  if (!isByTime(order) || !isSearch) return [{}];
  const backwards = order.direction === 'desc';
  const end = (backwards ? filter.from : filter.to)?.getTime();
  const begin = backwards
    ? Math.min(after?.value ?? (await timeIn(transaction)), filter.to?.getTime() ?? Infinity)
    : Math.max(after?.value ?? (await firstBegin(transaction)), filter.from?.getTime() ?? -Infinity);
  const bounds = STRETCHES_MS.map((length) => begin + (backwards ? -length : length))
    .filter((bound) => end === undefined || (backwards ? bound > end : bound < end))
    .map((bound) => new Date(bound));
  const ends: readonly (Date | undefined)[] = [undefined, ...bounds];
  return ends.map((near, n) => {
    const [from, to] = backwards ? [bounds[n], near] : [near, bounds[n]];
    return { from, to, isFirst: n === 0 };
  });
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
  return `(select call_key, duration_seconds, call, call_bytes, packed_records from calls ${where} offset 0) as chosen`;
}

/** There are indexes for that, and for {@link isByDuration}. */
function isByTime({ expression }: Order): boolean {
  return expression === 'began_at';
}

function isByDuration({ expression }: Order): boolean {
  return expression === 'duration_seconds';
}
