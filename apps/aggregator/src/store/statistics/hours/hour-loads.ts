import type { Transaction } from '../../database/transaction.js';
import { inSpans, type Span } from './counted-time.js';
import { packMinutes, type MinuteLoad } from './packed-minutes.js';

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
  await transaction.query(
    `insert into hour_loads (dimension, hour, value, attempts, minutes)
     select $1, unnest($2::timestamptz[]), unnest($3::text[]), unnest($4::integer[]), unnest($5::bytea[])`,
    [
      dimension,
      loads.map(({ hour }) => new Date(hour)),
      loads.map(({ value }) => value),
      loads.map(({ attempts }) => attempts),
      loads.map(({ minutes }) => packMinutes(minutes)),
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

export interface PackedHour {
  readonly hour: number;
  readonly value: string | null;
  readonly minutes: Buffer;
}

/** Of these values. */
export async function readHourLoads(
  transaction: Transaction,
  spans: readonly Span[],
  dimension: string,
  wanted: readonly (string | null)[],
): Promise<readonly PackedHour[]> {
  const { where, values } = chosen(spans, dimension);
  values.push(
    wanted.filter((value) => value !== null),
    wanted.includes(null),
  );
  // As bytea, each byte is sent as two digits; the driver cannot read the binary form.
  const { rows } = await transaction.query<{ hour: number; value: string | null; minutes: string }>(
    `select extract(epoch from hour)::float8 * 1000 as hour, value, encode(minutes, 'base64') as minutes from hour_loads ${where}
       and (value = any($${values.length - 1}::text[]) or $${values.length}::boolean and value is null)`,
    values,
  );
  return rows.map(({ minutes, ...row }) => ({ ...row, minutes: Buffer.from(minutes, 'base64') }));
}

function chosen(spans: readonly Span[], dimension: string): { readonly where: string; readonly values: unknown[] } {
  const values: unknown[] = [dimension];
  return { where: `where dimension = $1 and ${inSpans('hour', spans, (time) => `$${values.push(time)}`)}`, values };
}
