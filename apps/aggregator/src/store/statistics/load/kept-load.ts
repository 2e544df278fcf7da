import type { SiteSubnet } from '../../../search/sites/load-sites.js';
import type { Transaction } from '../../database/transaction.js';
import type { Buckets } from '../buckets.js';
import { isHiddenForm } from '../dimensions.js';
import { byValue } from '../hours/by-value.js';
import { isCounted, readCountedTime, type Span } from '../hours/counted-time.js';
import { readHourAttempts, readHourLoads, type PackedHour } from '../hours/hour-loads.js';
import { forEachMinute } from '../hours/packed-minutes.js';
import type { LoadQuestion } from './load.js';
import { loadRows, minuteLoads, type LoadRow } from './load-rows.js';
import { MINUTE_SECONDS } from './load-sums.js';
import { LoadSum } from './load-sum.js';

const MINUTE_MS = MINUTE_SECONDS * 1_000;
/** More than there are. */
const ALL_VALUES = 2 ** 31 - 1;

/** Limits the memory: ninety days of a value are three megabytes. */
const VALUES_AT_ONCE = 10;

/** The load of time that is not counted, by minutes. */
interface OpenLoad {
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
  const open: OpenLoad[] = [];
  for (const span of time.open) {
    const ofSpan = { filter, by, limit: ALL_VALUES, buckets: { ...span, seconds: MINUTE_SECONDS } };
    open.push({ span, rows: await loadRows(transaction, sites, ofSpan) });
  }
  const attempts = allAttempts(await readHourAttempts(transaction, time.counted, dimension), open);
  const shown = shownValues(attempts, question);
  const limits = by === 'trunk' ? await trunkLimits(transaction) : undefined;
  const found: LoadRow[] = [];
  for (let at = 0; at < shown.length; at += VALUES_AT_ONCE) {
    const some = shown.slice(at, at + VALUES_AT_ONCE);
    const sums = new Map(some.map((value) => [value, new LoadSum(buckets, limits?.get(value))]));
    const packed = await readHourLoads(transaction, time.counted, dimension, some);
    addHours(sums, packed, buckets);
    addOpen(sums, open, buckets);
    found.push(...[...sums].map(([value, sum]) => ({ value, values: attempts.size, ...sum.row() })));
  }
  return found;
}

/** Minutes of the counts are those of the clock; a bucket has whole minutes. */
function hasMinutes({ from, seconds }: Buckets): boolean {
  return from.getTime() % MINUTE_MS === 0 && seconds % MINUTE_SECONDS === 0;
}

function allAttempts(
  counted: ReadonlyMap<string | null, number>,
  open: readonly OpenLoad[],
): ReadonlyMap<string | null, number> {
  const attempts = new Map(counted);
  for (const { rows } of open)
    for (const row of rows) attempts.set(row.value, (attempts.get(row.value) ?? 0) + row.attempts);
  return attempts;
}

/** As `shownSeries` chooses. */
function shownValues(
  attempts: ReadonlyMap<string | null, number>,
  { limit, only, also = [] }: LoadQuestion,
): readonly (string | null)[] {
  const ranked = [...attempts].toSorted(([a, ofA], [b, ofB]) => ofB - ofA || byValue(a, b)).map(([value]) => value);
  const chosen = new Set<string | null>(only ?? also);
  return ranked.filter((value, rank) => chosen.has(value) || (only === undefined && rank < limit));
}

async function trunkLimits(transaction: Transaction): Promise<ReadonlyMap<string | null, number>> {
  const { rows } = await transaction.query<{ trunk: string; calls: number }>('select trunk, calls from trunk_limits');
  return new Map(rows.map(({ trunk, calls }) => [trunk, calls]));
}

function addHours(sums: ReadonlyMap<string | null, LoadSum>, hours: readonly PackedHour[], { from }: Buckets): void {
  for (const { hour, value, minutes } of hours) {
    const sum = sums.get(value);
    const first = (hour - from.getTime()) / MINUTE_MS;
    forEachMinute(minutes, (load) => sum?.add(first + load.minute, load));
  }
}

function addOpen(sums: ReadonlyMap<string | null, LoadSum>, open: readonly OpenLoad[], { from }: Buckets): void {
  for (const { span, rows } of open) {
    const first = (span.from.getTime() - from.getTime()) / MINUTE_MS;
    for (const row of rows) for (const load of minuteLoads(row)) sums.get(row.value)?.add(first + load.minute, load);
  }
}
