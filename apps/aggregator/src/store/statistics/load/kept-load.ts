import type { SiteSubnet } from '../../../search/sites/load-sites.js';
import type { Transaction } from '../../database/transaction.js';
import type { Buckets } from '../buckets.js';
import { isHiddenForm } from '../dimensions.js';
import { byValue } from '../hours/by-value.js';
import { HOUR_MS, hoursIn, isCounted, readCountedTime, type Span } from '../hours/counted-time.js';
import { readHourAttempts, readHourLoads, type PackedHours, type WantedHours } from '../hours/hour-loads.js';
import { forEachMinute } from '../hours/packed-minutes.js';
import { emptySummary, readSummary } from '../hours/packed-summary.js';
import type { LoadQuestion } from './load.js';
import { loadRows, minuteLoads, type LoadRow } from './load-rows.js';
import { MINUTE_MS, MINUTE_SECONDS } from './load-sums.js';
import { LoadSum } from './load-sum.js';

const MINUTES_OF_HOUR = HOUR_MS / MINUTE_MS;
/** More than there are. */
const ALL_VALUES = 2 ** 31 - 1;

/** Limits the memory: ninety days of a value are three megabytes. */
const VALUES_AT_ONCE = 10;

/** The load of time that is not counted, by minutes. */
export interface OpenLoad {
  readonly span: Span;
  readonly rows: readonly LoadRow[];
}

/**
 * The same rows as `loadRows`, from the counts of whole hours, and from the calls for the rest. Undefined when nothing is kept that answers
 * the question: its filter, minutes and values must be those of the counts.
 */
export async function keptLoadRows(
  transaction: Transaction,
  sites: readonly SiteSubnet[],
  question: LoadQuestion,
): Promise<readonly LoadRow[] | undefined> {
  const { filter, buckets, by } = question;
  if (!hasMinutes(buckets) || !isCounted({ ...filter, from: undefined, to: undefined })) return undefined;
  if (question.only?.some(isHiddenForm) === true) return undefined;
  const dimension = by ?? '';
  const time = await readCountedTime(transaction, buckets, sites, dimension);
  if (time === undefined) return undefined;
  const open = await readOpen(transaction, sites, time.open, question);
  const attempts = allAttempts(await readHourAttempts(transaction, time.counted, dimension), open);
  const shown = shownValues(attempts, question);
  if (shown.length === 0) return [];
  const limits = await limitsOf(transaction, by);
  const hours = wantedHours(time.counted, buckets);
  const found: LoadRow[] = [];
  const valuesFrom = (at: number): readonly (string | null)[] => shown.slice(at, at + VALUES_AT_ONCE);
  const read = (at: number): Promise<readonly PackedHours[]> =>
    readHourLoads(transaction, hours, dimension, valuesFrom(at));
  let next = read(0);
  for (let at = 0; at < shown.length; at += VALUES_AT_ONCE) {
    const loads = await next;
    // The database reads the next values while these are added up.
    if (at + VALUES_AT_ONCE < shown.length) next = read(at + VALUES_AT_ONCE);
    const sums = new Map(valuesFrom(at).map((value) => [value, new LoadSum(buckets, limits.get(value))]));
    for (const packed of loads) addHours(sums.get(packed.value), packed, buckets);
    addOpen(sums, open, buckets);
    found.push(...[...sums].map(([value, sum]) => ({ value, values: attempts.size, ...sum.row() })));
  }
  return found;
}

export async function readOpen(
  transaction: Transaction,
  sites: readonly SiteSubnet[],
  spans: readonly Span[],
  { filter, by }: LoadQuestion,
): Promise<readonly OpenLoad[]> {
  const open: OpenLoad[] = [];
  for (const span of spans) {
    const ofSpan = { filter, by, limit: ALL_VALUES, buckets: { ...span, seconds: MINUTE_SECONDS } };
    open.push({ span, rows: await loadRows(transaction, sites, ofSpan) });
  }
  return open;
}

/** Minutes of the counts are those of the clock; a bucket has whole minutes. */
export function hasMinutes({ from, seconds }: Buckets): boolean {
  return from.getTime() % MINUTE_MS === 0 && seconds % MINUTE_SECONDS === 0;
}

export function allAttempts(
  counted: ReadonlyMap<string | null, number>,
  open: readonly OpenLoad[],
): ReadonlyMap<string | null, number> {
  const attempts = new Map(counted);
  for (const { rows } of open)
    for (const row of rows) attempts.set(row.value, (attempts.get(row.value) ?? 0) + row.attempts);
  return attempts;
}

/** As `shownSeries` chooses. */
export function shownValues(
  attempts: ReadonlyMap<string | null, number>,
  { limit, only, also = [] }: LoadQuestion,
): readonly (string | null)[] {
  const ranked = [...attempts].toSorted(([a, ofA], [b, ofB]) => ofB - ofA || byValue(a, b)).map(([value]) => value);
  const chosen = new Set<string | null>(only ?? also);
  return ranked.filter((value, rank) => chosen.has(value) || (only === undefined && rank < limit));
}

/** Calls that each value may have at a time: only trunks have limits. */
export async function limitsOf(
  transaction: Transaction,
  by: LoadQuestion['by'],
): Promise<ReadonlyMap<string | null, number>> {
  if (by !== 'trunk') return new Map();
  const { rows } = await transaction.query<{ trunk: string; calls: number }>('select trunk, calls from trunk_limits');
  return new Map(rows.map(({ trunk, calls }) => [trunk, calls]));
}

/** Minutes are read only of hours that are divided by the end of a bucket. */
function wantedHours(spans: readonly Span[], { from, seconds }: Buckets): WantedHours {
  const minutesOfBucket = seconds / MINUTE_SECONDS;
  if (minutesOfBucket < MINUTES_OF_HOUR) return { spans, byMinutes: 'all' };
  const bucketOf = (minute: number): number => Math.floor(minute / minutesOfBucket);
  const isDivided = (hour: number): boolean => {
    const minute = (hour - from.getTime()) / MINUTE_MS;
    return bucketOf(minute) !== bucketOf(minute + MINUTES_OF_HOUR - 1);
  };
  return { spans, byMinutes: spans.flatMap((span) => hoursIn(span).filter(isDivided)) };
}

function addHours(sum: LoadSum | undefined, { summaries, minutes }: PackedHours, { from }: Buckets): void {
  const firstMinute = (hour: number): number => (hour * HOUR_MS - from.getTime()) / MINUTE_MS;
  const summary = emptySummary();
  while (!summaries.hasEnded) {
    readSummary(summaries, summary);
    sum?.addHour(firstMinute(summary.hour), summary);
  }
  while (!minutes.hasEnded) forEachMinute(minutes, (hour, load) => sum?.add(firstMinute(hour) + load.minute, load));
}

export function addOpen(sums: ReadonlyMap<string | null, LoadSum>, open: readonly OpenLoad[], { from }: Buckets): void {
  for (const { span, rows } of open) {
    const first = (span.from.getTime() - from.getTime()) / MINUTE_MS;
    for (const row of rows) for (const load of minuteLoads(row)) sums.get(row.value)?.add(first + load.minute, load);
  }
}
