import type { Transaction } from '../../database/transaction.js';
import { columnChunks, rowsFrom, typed, type RowOf } from '../../database/columns.js';
import { inSpans, type Span } from './counted-time.js';

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

export interface CountedCalls {
  readonly keys: readonly string[];
  readonly rows: readonly CountedCall[];
}

/** One of how many calls is read with the call: the lowest bit of its hash. */
const SAMPLE = `case hashtext(call_key) when 0 then ${2 ** 32} else hashtext(call_key)::bigint & -hashtext(call_key)::bigint end`;
const SAMPLES = Array.from({ length: 33 }, (_, bit) => 2 ** bit);

/** The condition for one call of so many; always the same ones. */
export function isSampled(oneOf: number): string {
  return `hashtext(call_key) & ${oneOf - 1} = 0`;
}

const FACT_COLUMNS = { key: 'text' } as const;
const CALL_COLUMNS = {
  call_key: 'text',
  at: 'bigint',
  problems: 'integer',
  known: 'integer',
  facts: 'text',
  code: 'integer',
  refused_by: 'integer',
} as const;

const ADD_CALLS = `
  insert into hour_calls (sample, ${Object.keys(CALL_COLUMNS).join(', ')})
  select ${SAMPLE}, ${Object.keys(CALL_COLUMNS)
    .map((name) => typed(CALL_COLUMNS, name))
    .join(', ')} from ${rowsFrom(CALL_COLUMNS)} order by 1`;

/** Puts the calls that began in the span in the place of those that are kept. */
export async function writeHourCalls(
  transaction: Transaction,
  span: Span,
  { keys, rows }: CountedCalls,
): Promise<void> {
  await deleteHourCalls(transaction, span);
  const ids = await factNumbers(transaction, keys, span.to);
  const idOf = (fact: number): number | undefined => ids.get(keys[fact] ?? '');
  const stored = rows.map(({ callKey, facts, refusedBy, ...row }): RowOf<typeof CALL_COLUMNS> => {
    return {
      ...row,
      call_key: callKey,
      facts: facts.flatMap((fact) => idOf(fact) ?? []).join(','),
      refused_by: refusedBy === undefined ? null : idOf(refusedBy),
    };
  });
  for (const columns of columnChunks(CALL_COLUMNS, stored)) await transaction.query(ADD_CALLS, columns);
}

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
         insert into call_facts (key, used_at) select unnest($1::text[]), $2
         on conflict (key) do update set used_at = excluded.used_at where call_facts.used_at < excluded.used_at - interval '1 day'
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

interface Row extends Omit<CountedCall, 'facts' | 'refusedBy'> {
  readonly facts: string;
  readonly refusedBy: number | null;
}

/** One call of `oneOf` that began in the spans. */
export async function readHourCalls(
  transaction: Transaction,
  spans: readonly Span[],
  oneOf: number,
): Promise<CountedCalls> {
  const { where, values } = chosen(spans, oneOf);
  const { rows } = await transaction.query<Row>(
    `select call_key as "callKey", at::float8 as at, problems, known, facts, code, refused_by as "refusedBy" from hour_calls ${where}`,
    values,
  );
  const parsed = rows.map(({ facts, ...row }) => ({ ...row, ids: numbersIn(facts) }));
  const ids = [...new Set(parsed.flatMap(({ ids: own }) => own))];
  const { rows: facts } = await transaction.query<{ id: number; key: string }>(
    'select id, key from call_facts where id = any($1)',
    [ids],
  );
  const indexes: number[] = [];
  for (const [index, { id }] of facts.entries()) indexes[id] = index;
  return {
    keys: facts.map(({ key }) => key),
    rows: parsed.map(({ ids: own, refusedBy, ...row }) => {
      return {
        ...row,
        facts: own.flatMap((id) => indexes[id] ?? []),
        refusedBy: refusedBy === null ? undefined : indexes[refusedBy],
      };
    }),
  };
}

/** `counts`: SQL of `problems`. */
export async function readHourCounts<C extends Readonly<Record<string, number>>>(
  transaction: Transaction,
  spans: readonly Span[],
  oneOf: number,
  counts: string,
): Promise<C | undefined> {
  const { where, values } = chosen(spans, oneOf);
  const { rows } = await transaction.query<C>(`select ${counts} from hour_calls ${where}`, values);
  return rows[0];
}

function chosen(spans: readonly Span[], oneOf: number): { readonly where: string; readonly values: unknown[] } {
  const values: unknown[] = [SAMPLES.filter((sample) => sample >= oneOf)];
  const seconds = (time: Date): string => `$${values.push(firstSecond(time))}`;
  return { where: `where sample = any($1::bigint[]) and ${inSpans('at', spans, seconds)}`, values };
}

function numbersIn(list: string): readonly number[] {
  return list === '' ? [] : list.split(',').map(Number);
}
