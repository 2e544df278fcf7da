import { CALLERS_OUTCOMES, AUDIO } from '@ringdown/call-catalogue/choices';
import { SURROUNDING_FIELDS, type SurroundingField } from '@ringdown/call-catalogue/fields';
import type { Call } from '../../calls/call.js';
import { isFault } from '../../calls/life/call-outcome.js';
import { isoTime } from '../../calls/streams/report-source.js';
import { Conditions, type CallFilter } from '../../search/filter/call-filter.js';
import { searchKey } from '../../search/keys/search-keys.js';
import { partySite, type SiteLookup } from '../../search/sites/site-table.js';
import { storedDaysOf } from '../calls/known-calls.js';
import { STORED_CALL, storedCall, type StoredCallRow } from '../records/stored-call.js';
import type { Database } from '../database/database.js';
import type { Transaction } from '../database/transaction.js';
import { keyedValues } from './dimensions.js';

/** What is wrong with a call. */
export type Problem = 'bad' | 'failed' | 'noAudio';

export type SurroundingDimension = 'site' | SurroundingField;

export interface SharedValue {
  readonly dimension: SurroundingDimension;
  readonly value: string;
}

export interface TroubledCalls {
  readonly calls: number;
  readonly bad: number;
}

export interface Surroundings {
  readonly from: string;
  readonly to: string;
  readonly problem: Problem;
  readonly items: readonly (SharedValue & { readonly hour: TroubledCalls; readonly usual: TroubledCalls })[];
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 7;
/** Bounds what is read, whatever the number of calls: enough for the share of a front end that has most of them. */
const MOST_OF_HOUR = 2_000;
const MOST_OF_DAY = 300;
/** Of the caller and the callee; a conference may have many more. */
const MOST_VALUES = 2;

const NO_FAULTS = [...CALLERS_OUTCOMES.map((code) => searchKey('endCode', code)), searchKey('rangOut', 'true')];
const WITHOUT_AUDIO = AUDIO.map((heard) => searchKey('audio', heard));

/** Of each problem in SQL: the calls that have it, and those that could. */
const PROBLEMS: Readonly<
  Record<Problem, (conditions: Conditions) => { readonly has: string; readonly counted: string }>
> = {
  bad: () => ({ has: `verdict = 'bad'`, counted: `verdict <> 'unknown'` }),
  failed: (conditions) => ({
    has: `state = 'failed' and not search_keys && ${conditions.placeholder(NO_FAULTS)}::text[]`,
    counted: `state in ('ended', 'failed')`,
  }),
  noAudio: (conditions) => {
    const has = `search_keys && ${conditions.placeholder(WITHOUT_AUDIO)}::text[]`;
    return { has, counted: `(verdict <> 'unknown' or ${has})` };
  },
};

/** Parameters of the search for calls with a problem. */
export const PROBLEM_SEARCHES: Readonly<Record<Problem, Readonly<Record<string, string>>>> = {
  bad: { verdict: 'bad' },
  failed: { state: 'failed', 'not.endCode': CALLERS_OUTCOMES.join(','), 'not.rangOut': 'true' },
  noAudio: { audio: AUDIO.join(',') },
};

interface CallRow extends StoredCallRow {
  readonly began_at: Date;
  readonly uploaded: boolean;
  readonly values: Readonly<Record<SurroundingField, readonly string[] | null>>;
}

/** Whether it was only this call: counts of the calls that share a part with it. */
export class CallSurroundings {
  constructor(
    private readonly database: Database,
    private readonly sites: SiteLookup,
    /** The calls that a search by a value finds. */
    private readonly filterFor: (shared: SharedValue) => CallFilter,
  ) {}

  /** Undefined when the call does not exist. */
  of(key: string): Promise<Surroundings | undefined> {
    // PostgreSQL does not allow this character in texts, nor does XML.
    if (key.includes('\0')) return Promise.resolve(undefined);
    return this.database.readLagging(async (transaction) => {
      const row = await callRowOf(transaction, key);
      if (row === undefined) return undefined;
      const call = storedCall(row);
      const problem = problemOf(call);
      const hour = Math.floor(row.began_at.getTime() / HOUR_MS) * HOUR_MS;
      const shared = row.uploaded ? [] : sharedValues(call, row.values, this.sites);
      const items = [];
      for (const each of shared)
        items.push({ ...each, ...(await countsAround(transaction, this.filterFor(each), hour, problem)) });
      return { from: isoTime(hour), to: isoTime(hour + HOUR_MS), problem, items };
    });
  }
}

async function callRowOf(transaction: Transaction, key: string): Promise<CallRow | undefined> {
  const place = (await storedDaysOf(transaction, [key])).get(key);
  if (place === undefined) return undefined;
  const values = SURROUNDING_FIELDS.map((field) => `'${field}', array(${valuesOf(field)})`);
  const { rows } = await transaction.query<CallRow>(
    `select ${STORED_CALL}, began_at, uploaded, jsonb_build_object(${values.join(', ')}) as values
     from calls where call_key = $1 and stored_on = $2`,
    [key, place],
  );
  return rows[0];
}

function valuesOf(field: SurroundingField): string {
  return field === 'frontEnd' ? 'select unnest(front_ends)' : keyedValues(field);
}

function sharedValues(call: Call, values: CallRow['values'], sites: SiteLookup): readonly SharedValue[] {
  const ofParties = new Set(call.parties.flatMap((party) => partySite(party, sites) ?? []));
  const all: readonly (readonly [SurroundingDimension, readonly string[]])[] = [
    ['site', [...ofParties]],
    ...SURROUNDING_FIELDS.map((field) => [field, values[field] ?? []] as const),
  ];
  return all.flatMap(([dimension, found]) => found.slice(0, MOST_VALUES).map((value) => ({ dimension, value })));
}

function problemOf({ state, end, audio }: Call): Problem {
  if (state === 'failed' && isFault(end?.code)) return 'failed';
  // Calls that an earlier release has stored do not have it until they are rebuilt.
  return audio ? 'noAudio' : 'bad';
}

/** One statement with a part for the hour and one for each day, each of which ends at its limit. */
export function surroundingsQuery(
  filter: CallFilter,
  hour: number,
  problem: Problem,
): { readonly sql: string; readonly values: readonly unknown[] } {
  const conditions = new Conditions({ ...filter, uploads: 'exclude' });
  const { has, counted } = PROBLEMS[problem](conditions);
  conditions.always(counted);
  const part = (isHour: boolean, from: number, to: number, most: number): string =>
    `(select ${isHour} as is_hour, (${has}) as is_bad from calls ${conditions.where}
        and began_at >= ${conditions.placeholder(new Date(from))} and began_at < ${conditions.placeholder(new Date(to))}
      order by began_at desc, call_key desc limit ${most})`;
  const days = Array.from({ length: DAYS }, (_, day) =>
    part(false, hour - (day + 1) * DAY_MS, hour - day * DAY_MS, MOST_OF_DAY),
  );
  const sql = `select is_hour, count(*)::integer as calls, (count(*) filter (where is_bad))::integer as bad
    from (${[part(true, hour, hour + HOUR_MS, MOST_OF_HOUR), ...days].join(' union all ')}) as around group by is_hour`;
  return { sql, values: conditions.values };
}

async function countsAround(
  transaction: Transaction,
  filter: CallFilter,
  hour: number,
  problem: Problem,
): Promise<{ readonly hour: TroubledCalls; readonly usual: TroubledCalls }> {
  const { sql, values } = surroundingsQuery(filter, hour, problem);
  const { rows } = await transaction.query<TroubledCalls & { readonly is_hour: boolean }>(sql, [...values]);
  const countsOf = (isHour: boolean): TroubledCalls => {
    const { calls = 0, bad = 0 } = rows.find(({ is_hour }) => is_hour === isHour) ?? {};
    return { calls, bad };
  };
  return { hour: countsOf(true), usual: countsOf(false) };
}
