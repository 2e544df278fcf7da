import type { Transaction } from '../../database/transaction.js';
import { HOUR_MS, inSpans, type Span } from './counted-time.js';
import { packMinutes, type MinuteLoad } from './packed-minutes.js';
import { PackedReader } from './packed-numbers.js';
import { packSummary } from './packed-summary.js';

/** The load of one value in one hour. */
export interface HourLoad {
  /** When the hour begins, milliseconds since 1970. */
  readonly hour: number;
  readonly value: string | null;
  readonly attempts: number;
  readonly minutes: readonly MinuteLoad[];
}

/** Puts the loads of one dimension in the place of those that are kept for the hours of the span. */
export async function writeHourLoads(
  transaction: Transaction,
  span: Span,
  dimension: string,
  loads: readonly HourLoad[],
): Promise<void> {
  await deleteHourLoads(transaction, span, dimension);
  const numbered = loads.map((load) => ({ ...load, number: load.hour / HOUR_MS }));
  await transaction.query(
    `insert into hour_loads (dimension, hour, value, attempts, minutes, summary)
     select $1, unnest($2::timestamptz[]), unnest($3::text[]), unnest($4::integer[]), unnest($5::bytea[]), unnest($6::bytea[])`,
    [
      dimension,
      numbered.map(({ hour }) => new Date(hour)),
      numbered.map(({ value }) => value),
      numbered.map(({ attempts }) => attempts),
      numbered.map(({ number, minutes }) => packMinutes(number, minutes)),
      numbered.map(({ number, minutes }) => packSummary(number, minutes)),
    ],
  );
}

export async function deleteHourLoads(transaction: Transaction, { from, to }: Span, dimension: string): Promise<void> {
  await transaction.query('delete from hour_loads where dimension = $1 and hour >= $2 and hour < $3', [
    dimension,
    from,
    to,
  ]);
}

/** The attempts of each value in the spans. */
export async function readHourAttempts(
  transaction: Transaction,
  spans: readonly Span[],
  dimension: string,
): Promise<ReadonlyMap<string | null, number>> {
  const { where, values } = chosen(spans, dimension);
  const { rows } = await transaction.query<{ value: string | null; attempts: number }>(
    `select value, sum(attempts)::integer as attempts from hour_loads ${where} group by value`,
    values,
  );
  return new Map(rows.map(({ value, attempts }) => [value, attempts]));
}

/** Which hours are read, and what of them. */
export interface WantedHours {
  readonly spans: readonly Span[];
  /** When the hours of the spans begin of which the minutes are read, and not the summary, milliseconds since 1970; `all` of them. */
  readonly byMinutes: readonly number[] | 'all';
}

/** The hours of one value, one after the other, in any order. */
export interface PackedHours {
  readonly value: string | null;
  readonly summaries: PackedReader;
  readonly minutes: PackedReader;
}

/** Of these values. */
export async function readHourLoads(
  transaction: Transaction,
  { spans, byMinutes }: WantedHours,
  dimension: string,
  wanted: readonly (string | null)[],
): Promise<readonly PackedHours[]> {
  const { where, values } = chosen(spans, dimension);
  const value = `(value = any($${values.push(wanted.filter((each) => each !== null))}::text[])
    or $${values.push(wanted.includes(null))}::boolean and value is null)`;
  const isByMinutes =
    byMinutes === 'all'
      ? 'true'
      : `hour = any($${values.push(byMinutes.map((hour) => new Date(hour)))}::timestamptz[])`;
  // One row for each value: a row for each hour took longer to send than to read. The driver cannot read the binary form.
  const { rows } = await transaction.query<{ value: string | null; summaries: string | null; minutes: string | null }>(
    `select value, ${joined('summary', `not ${isByMinutes}`)} as summaries, ${joined('minutes', isByMinutes)} as minutes
     from hour_loads ${where} and ${value} group by value`,
    values,
  );
  return rows.map(({ summaries, minutes, ...row }) => ({
    ...row,
    summaries: readerOf(summaries),
    minutes: readerOf(minutes),
  }));
}

function joined(column: string, condition: string): string {
  return `encode(string_agg(${column}, '') filter (where ${condition}), 'base64')`;
}

function readerOf(base64: string | null): PackedReader {
  return new PackedReader(Buffer.from(base64 ?? '', 'base64'));
}

function chosen(spans: readonly Span[], dimension: string): { readonly where: string; readonly values: unknown[] } {
  const values: unknown[] = [dimension];
  return { where: `where dimension = $1 and ${inSpans('hour', spans, (time) => `$${values.push(time)}`)}`, values };
}
