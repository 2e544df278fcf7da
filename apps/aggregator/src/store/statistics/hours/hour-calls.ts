import { CALL_RANGES, RANGE_NAMES } from '@ringdown/call-catalogue/filters';
import type { Transaction } from '../../database/transaction.js';
import { columnChunks, rowsFrom, typed, type RowOf } from '../../database/columns.js';
import { inSpans, type Span } from './counted-time.js';
import { packCall, type CallLoad } from './packed-calls.js';

/** A call in the form in which suspects are found. */
export interface CountedCall {
  readonly callKey: string;
  /** When it began, seconds since 1970, or the bucket in which it did. */
  readonly at: number;
  readonly problems: number;
  readonly known: number;
  /** Indexes in the keys. */
  readonly facts: readonly number[];
  readonly code: number | null;
  /** The index of the key of the server that refused it. */
  readonly refusedBy: number | undefined;
}

export interface CountedCalls<C extends CountedCall = CountedCall> {
  readonly keys: readonly string[];
  readonly rows: readonly C[];
}

/** Columns of calls by which they are filtered, and that are kept as they are: conditions on calls hold for both. */
export const COPIED_COLUMNS: readonly string[] = [
  'state',
  'verdict',
  'began_at',
  'lasted_until',
  'invited_at',
  ...RANGE_NAMES.map((name) => CALL_RANGES[name].column),
];

/** A call with all that is kept of it. */
export interface KeptCall extends CountedCall {
  /** By {@link COPIED_COLUMNS}. */
  readonly copied: Readonly<Record<string, string | null>>;
  /** Its sites are indexes in the keys. */
  readonly load: CallLoad;
}

/** One of how many calls is read with the call: the lowest bit of its hash. */
const SAMPLE = `case hashtext(call_key) when 0 then ${2 ** 32} else hashtext(call_key)::bigint & -hashtext(call_key)::bigint end`;
export const SAMPLES = Array.from({ length: 33 }, (_, bit) => 2 ** bit);

/** The condition for one call of so many; always the same ones. */
export function isSampled(oneOf: number): string {
  return `hashtext(call_key) & ${oneOf - 1} = 0`;
}

const FACT_COLUMNS = { key: 'text' } as const;
const CALL_COLUMNS: Readonly<Record<string, string>> = {
  call_key: 'text',
  at: 'bigint',
  problems: 'integer',
  known: 'integer',
  facts: 'text',
  code: 'integer',
  refused_by: 'integer',
  ...Object.fromEntries(COPIED_COLUMNS.map((name) => [name, typeOfCopied(name)])),
  load: 'bytea',
};

function typeOfCopied(name: string): string {
  if (name === 'state' || name === 'verdict') return 'text';
  return name.endsWith('_at') || name.endsWith('_until') ? 'timestamptz' : 'double precision';
}

const ADD_CALLS = `
  insert into hour_calls (sample, ${Object.keys(CALL_COLUMNS).join(', ')})
  select ${SAMPLE}, ${Object.keys(CALL_COLUMNS)
    .map((name) => typed(CALL_COLUMNS, name))
    .join(', ')} from ${rowsFrom(CALL_COLUMNS)} order by 1`;

/** Puts the calls that began in the span in the place of those that are kept. */
export async function writeHourCalls(
  transaction: Transaction,
  span: Span,
  { keys, rows }: CountedCalls<KeptCall>,
): Promise<void> {
  await deleteHourCalls(transaction, span);
  const ids = await factNumbers(transaction, keys, span.to);
  const idOf = (fact: number): number | undefined => ids.get(keys[fact] ?? '');
  const idsOf = (facts: readonly number[]): readonly number[] => facts.flatMap((fact) => idOf(fact) ?? []);
  const stored = rows.map(({ callKey, facts, refusedBy, copied, load, ...row }): RowOf<typeof CALL_COLUMNS> => {
    const streams = load.streams.map((stream) => ({ ...stream, sites: idsOf(stream.sites) }));
    return {
      ...row,
      ...copied,
      call_key: callKey,
      facts: listed(idsOf(facts)),
      refused_by: refusedBy === undefined ? null : idOf(refusedBy),
      load: packCall({ ...load, streams }),
    };
  });
  for (const columns of columnChunks(CALL_COLUMNS, stored)) await transaction.query(ADD_CALLS, columns);
}

/** A comma on both sides of each number: one is found by a pattern, and the lists of several calls can be put one after the other. */
function listed(ids: readonly number[]): string {
  return `,${ids.map((id) => `${id},`).join('')}`;
}

/** A known value is not inserted again: each attempt would use up a number, and an integer has not enough for years of them. */
async function factNumbers(
  transaction: Transaction,
  keys: readonly string[],
  usedAt: Date,
): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>();
  const rows = keys.toSorted().map((key): RowOf<typeof FACT_COLUMNS> => ({ key }));
  for (const [names] of columnChunks(FACT_COLUMNS, rows)) {
    const { rows: found } = await transaction.query<{ id: number; key: string }>(
      `with written as (
         insert into call_facts (key, used_at)
         select needed.key, $2 from unnest($1::text[]) as needed (key)
         where not exists (
           select from call_facts as known where known.key = needed.key and known.used_at >= $2::timestamptz - interval '1 day'
         )
         order by needed.key collate "C"
         on conflict (key) do update set used_at = greatest(call_facts.used_at, excluded.used_at)
         returning id, key
       )
       select id, key from written union select id, key from call_facts where key = any($1::text[])`,
      [names, usedAt],
    );
    for (const { id, key } of found) ids.set(key, id);
  }
  return ids;
}

export async function deleteHourCalls(transaction: Transaction, { from, to }: Span): Promise<void> {
  await transaction.query('delete from hour_calls where sample = any($1::bigint[]) and at >= $2 and at < $3', [
    SAMPLES,
    firstSecond(from),
    firstSecond(to),
  ]);
}

/** The first second of calls at or after a time: theirs are whole. */
function firstSecond(time: Date): number {
  return Math.ceil(time.getTime() / 1_000);
}

/** Of which no call is left since this time. */
export async function deleteUnusedFacts(transaction: Transaction, first: Date): Promise<void> {
  await transaction.query(`delete from call_facts where used_at < $1::timestamptz - interval '2 days'`, [first]);
}

/** The condition for one call of `oneOf` that began in the spans. */
export function keptWithin(spans: readonly Span[], oneOf: number, placeholder: (value: unknown) => string): string {
  const samples = placeholder(SAMPLES.filter((sample) => sample >= oneOf));
  const times = inSpans('at', spans, (time) => placeholder(firstSecond(time)));
  return `sample = any(${samples}::bigint[]) and ${times}`;
}
