import { createHash } from 'node:crypto';
import { Conditions, type CallFilter } from '../../../search/filter/call-filter.js';
import type { SiteSubnet } from '../../../search/sites/load-sites.js';
import type { Transaction } from '../../database/transaction.js';

export const HOUR_MS = 3_600_000;
/** With more, the conditions take longer to plan than the calls to read: the shortest ones are left out. */
const MOST_SPANS = 20;

/** The time [from, to). */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

/** When the hours of the span begin, milliseconds since 1970. */
export function hoursIn({ from, to }: Span): readonly number[] {
  return Array.from({ length: (to.getTime() - from.getTime()) / HOUR_MS }, (_, n) => from.getTime() + n * HOUR_MS);
}

/** A time, divided into hours of which counts are kept and the rest, each in ascending order. */
export interface CountedTime {
  readonly counted: readonly Span[];
  readonly open: readonly Span[];
  /** Those that began in the counted hours. */
  readonly calls: number;
}

/** What counts are kept of: all calls but those of uploads. */
export function isCounted({ from: _from, to: _to, uploads, ...others }: CallFilter): boolean {
  return uploads === 'exclude' && new Conditions(others).where === '';
}

/** Of the form in which counts are kept: a replica of a version with another one does not read these, and counts again. */
const FORM = 2;

/** Counts that were made with other sites, or are kept in another form, are not read. */
export function countsDigest(sites: readonly SiteSubnet[]): string {
  return createHash('sha256')
    .update(JSON.stringify([FORM, sites]))
    .digest('hex')
    .slice(0, 16);
}

/**
 * Undefined where nothing is counted. `load`: the dimension of which the load is needed. What the same transaction reads fits to it, if it
 * sees one state of the database.
 */
export async function readCountedTime(
  transaction: Transaction,
  { from, to }: Span,
  sites: readonly SiteSubnet[],
  load?: string,
): Promise<CountedTime | undefined> {
  const { rows } = await transaction.query<Hour>(
    `select extract(epoch from hour)::float8 * 1000 as at, calls
     from counted_hours, (select coalesce(range_agg(times), '{}') as times from changed_hours) as changed
     where hour >= $1 and hour <= $2::timestamptz - interval '1 hour' and sites = $3 and calls is not null
       and ($4::text is null or $4 = any(loads)) and not tstzrange(hour, hour + interval '1 hour') && changed.times
     order by hour`,
    [from, to, countsDigest(sites), load ?? null],
  );
  const longest = together(rows).toSorted((a, b) => b.length - a.length);
  const hours = longest.slice(0, MOST_SPANS).toSorted(([a], [b]) => (a?.at ?? 0) - (b?.at ?? 0));
  if (hours.length === 0) return undefined;
  const counted = hours.map((span) => spanOf(span));
  const calls = hours.flat().reduce((sum, hour) => sum + hour.calls, 0);
  return { counted, open: between(counted, { from, to }), calls };
}

interface Hour {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly calls: number;
}

/** Hours that follow each other. */
function together(hours: readonly Hour[]): readonly (readonly Hour[])[] {
  const spans: Hour[][] = [];
  for (const hour of hours) {
    const last = spans.at(-1);
    if (last?.at(-1)?.at === hour.at - HOUR_MS) last.push(hour);
    else spans.push([hour]);
  }
  return spans;
}

function spanOf(hours: readonly Hour[]): Span {
  const from = hours[0]?.at ?? 0;
  return { from: new Date(from), to: new Date(from + hours.length * HOUR_MS) };
}

function between(spans: readonly Span[], { from, to }: Span): readonly Span[] {
  const begins = [from, ...spans.map((span) => span.to)];
  const ends = [...spans.map((span) => span.from), to];
  return begins.flatMap((begin, n) => {
    const end = ends[n] ?? to;
    return begin < end ? { from: begin, to: end } : [];
  });
}

/** SQL of: in one of these spans. `placeholder` gets the values. */
export function inSpans(column: string, spans: readonly Span[], placeholder: (time: Date) => string): string {
  const terms = spans.map(({ from, to }) => `${column} >= ${placeholder(from)} and ${column} < ${placeholder(to)}`);
  return terms.length === 0 ? 'false' : `(${terms.map((term) => `(${term})`).join(' or ')})`;
}
