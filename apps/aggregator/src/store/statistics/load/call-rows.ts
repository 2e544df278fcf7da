import { filterRow } from '@ringdown/call-catalogue/fields';
import { LOAD_DIMENSIONS, type LoadDimension } from '@ringdown/call-catalogue/filters';
import type { Conditions } from '../../../search/filter/call-filter.js';
import { searchKey } from '../../../search/keys/search-keys.js';
import type { Transaction } from '../../database/transaction.js';
import { isHiddenForm, isKeyed } from '../dimensions.js';
import type { Span } from '../hours/counted-time.js';
import { chosenCalls } from './load-steps.js';

interface StreamRow {
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly average: number | null;
  readonly maximum: number | null;
  readonly addresses: readonly string[];
}

/** What the load needs of a call. */
export interface CallRow {
  /** Milliseconds since 1970. */
  readonly began: number;
  /** Now, if it is in progress. */
  readonly until: number;
  readonly frontEnds: readonly string[];
  readonly keys: readonly string[];
  readonly media: readonly StreamRow[];
}

export interface CallStream {
  readonly from: number;
  readonly until: number;
  readonly average: number;
  readonly maximum: number;
  readonly addresses: readonly string[];
}

/** The matching calls in progress in the span. `more`: of each, in SQL. */
export async function readCallRows<R extends object = object>(
  transaction: Transaction,
  conditions: Conditions,
  span: Span,
  more: Readonly<Record<string, string>> = {},
): Promise<readonly (CallRow & R)[]> {
  const [from, to] = [conditions.placeholder(span.from), conditions.placeholder(span.to)];
  const others = Object.entries(more);
  const inside = others.map(([name, sql]) => `, ${sql} as "${name}"`).join('');
  const { rows } = await transaction.query<CallRow & R>(
    `with chosen as (${chosenCalls(conditions, { from, to }, `front_ends, search_keys, media${inside}`)})
     select ${milliseconds('began_at')} as began, ${milliseconds('until')} as until, to_json(front_ends) as "frontEnds",
       to_json(search_keys) as keys, media${others.map(([name]) => `, "${name}"`).join('')}
     from chosen`,
    conditions.values,
  );
  return rows;
}

function milliseconds(time: string): string {
  return `round(extract(epoch from ${time}) * 1000)::float8`;
}

/** Bandwidths are whole numbers, which have exact sums. */
export function callStreams({ began, until, media }: CallRow): readonly CallStream[] {
  return media.map(({ startedAt, endedAt, average, maximum, addresses }) => ({
    from: startedAt === null ? began : Date.parse(startedAt),
    until: endedAt === null ? until : Date.parse(endedAt),
    average: Math.floor((average ?? 0) + 0.5),
    maximum: Math.floor((maximum ?? 0) + 0.5),
    addresses,
  }));
}

const PREFIXES: ReadonlyMap<LoadDimension, string> = new Map(
  LOAD_DIMENSIONS.filter((by) => isKeyed(by)).map((by) => [by, searchKey(filterRow(by).kind, '')]),
);

/** A call without a value counts under null. */
export function valuesOfCall(
  by: Exclude<LoadDimension, 'site'>,
  { keys, frontEnds }: CallRow,
): readonly (string | null)[] {
  if (by === 'frontEnd') return frontEnds.length === 0 ? [null] : frontEnds;
  const prefix = PREFIXES.get(by) ?? '';
  const values: string[] = [];
  for (const key of keys) if (key.startsWith(prefix) && !isHiddenForm(key)) values.push(key.slice(prefix.length));
  return values.length === 0 ? [null] : values;
}
