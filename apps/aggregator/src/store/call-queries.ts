import { IN_PROGRESS, type Call, type CallState, type Verdict } from '../calls/call.js';
import { callKey, frontEndKey } from '../calls/call-keys.js';
import { searchKey } from '../calls/search-keys.js';
import { IS_IN_PROGRESS } from './call-states.js';
import type { Database, Transaction } from './database.js';
import { placesOf } from './known-calls.js';
import { linkedTo, type LinkedCall } from './linked-calls.js';

/** Where a page of calls ends: the next one goes on behind this call. */
export interface PagePosition {
  /** Milliseconds since 1970. */
  readonly beganAt: number;
  readonly callKey: string;
}

/** What is left out is not filtered by. */
export interface CallFilter {
  readonly states?: readonly CallState[] | undefined;
  readonly verdicts?: readonly Verdict[] | undefined;
  readonly frontEnd?: string | undefined;
  /** See `partyKey`. */
  readonly party?: string | undefined;
  /** Calls that began in [from, to). */
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
}

export interface CallPage {
  readonly calls: readonly Call[];
  /** Undefined on the last page. */
  readonly next: PagePosition | undefined;
}

/** One record of a call as it came. */
export interface StoredRecord {
  readonly id: string;
  readonly kinds: readonly string[];
  readonly frontEnds: readonly string[];
  /** Clock of the sender; null when the record has no time. */
  readonly sentAt: string | null;
  /** Clock of the collector. */
  readonly receivedAt: string;
  readonly xml: string;
}

export interface CallWithRecords {
  readonly call: Call;
  /** Other calls that it belongs together with. */
  readonly linked: readonly LinkedCall[];
  /** In the order of their times; the first of them where there are too many to send at once. */
  readonly records: readonly StoredRecord[];
  readonly recordsLeftOut: number;
}

export interface FrontEnd {
  readonly name: string;
  /** Clock of the collector. */
  readonly firstSeen: string;
  readonly lastSeen: string;
  /** Different records that named it, and copies that were recognised. */
  readonly records: number;
  readonly duplicates: number;
  readonly callsInProgress: number;
}

export interface CallsInProgress {
  /** The newest first. */
  readonly calls: readonly Call[];
  /** How many there are, `calls` included. */
  readonly total: number;
}

const MAX_RECORDS = 1_000;
const MAX_RECORD_CHARACTERS = 4 * 1_024 * 1_024;
const MAX_FRONT_ENDS = 1_000;

interface CallRow {
  readonly call_key: string;
  readonly began_at: Date;
  readonly call: Call;
}

/** Everything that is asked about calls. */
export class CallQueries {
  constructor(private readonly database: Database) {}

  /** The newest first. */
  async page(filter: CallFilter, limit: number, after?: PagePosition): Promise<CallPage> {
    const { where, values } = conditions(filter, after);
    const rows = await this.database.read(async (transaction) => {
      const sql = `select call_key, began_at, call from calls ${where}
                   order by began_at desc, call_key desc limit $${values.length + 1}`;
      return (await transaction.query<CallRow>(sql, [...values, limit + 1])).rows;
    });
    const page = rows.slice(0, limit);
    const last = rows.length > limit ? page.at(-1) : undefined;
    return {
      calls: page.map(({ call }) => call),
      next: last && { beganAt: last.began_at.getTime(), callKey: last.call_key },
    };
  }

  /** Undefined when there is no such call. */
  byId(callId: string): Promise<CallWithRecords | undefined> {
    const key = callKey(callId);
    // PostgreSQL has no such character in its texts, XML neither.
    if (key.includes('\0')) return Promise.resolve(undefined);
    return this.database.read(async (transaction) => {
      const place = (await placesOf(transaction, [key])).get(key);
      const { rows } = await transaction.query<{ call: Call; records: number }>(
        `select call, (select count(*)::integer from records where call_key = $1 and stored_on = $2) as records
         from calls where call_key = $1 and stored_on = $2`,
        [key, place],
      );
      const [row] = rows;
      if (place === undefined || row === undefined) return undefined;
      const records = await recordsOf(transaction, key, place);
      const linked = await linkedTo(transaction, key, row.call);
      return { call: row.call, linked, records, recordsLeftOut: Math.max(0, row.records - records.length) };
    });
  }

  inProgress(limit: number): Promise<CallsInProgress> {
    return this.database.read(async (transaction) => {
      const { rows } = await transaction.query<{ call: Call }>(
        `select call from calls where ${IS_IN_PROGRESS} order by began_at desc, call_key desc limit $1`,
        [limit],
      );
      const calls = rows.map(({ call }) => call);
      if (calls.length < limit) return { calls, total: calls.length };
      const counted = await transaction.query<{ total: number }>(
        `select count(*)::integer as total from calls where ${IS_IN_PROGRESS}`,
      );
      return { calls, total: counted.rows[0]?.total ?? calls.length };
    });
  }

  /** How many calls are in each of the states of calls that are going on. */
  async countInProgress(): Promise<ReadonlyMap<CallState, number>> {
    const { rows } = await this.database.read((transaction) =>
      transaction.query<{ state: CallState; total: number }>(
        `select state, count(*)::integer as total from calls where ${IS_IN_PROGRESS} group by state`,
      ),
    );
    const counted = new Map(rows.map(({ state, total }) => [state, total]));
    return new Map(IN_PROGRESS.map((state) => [state, counted.get(state) ?? 0]));
  }

  /** By name. */
  async frontEnds(): Promise<readonly FrontEnd[]> {
    interface Row {
      readonly name: string;
      readonly first_seen: Date;
      readonly last_seen: Date;
      readonly records: string;
      readonly duplicates: string;
      readonly calls: number;
    }
    const { rows } = await this.database.read((transaction) =>
      transaction.query<Row>(
        `select (array_agg(name order by first_seen))[1] as name, min(first_seen) as first_seen,
           max(last_seen) as last_seen, sum(records) as records, sum(duplicates) as duplicates,
           coalesce(max(calls), 0)::integer as calls
         from front_ends left join (
           select unnest(front_ends) as name_key, count(*) as calls from calls where ${IS_IN_PROGRESS} group by 1
         ) as live using (name_key)
         group by name_key order by name_key limit $1`,
        [MAX_FRONT_ENDS],
      ),
    );
    return rows.map((row) => ({
      name: row.name,
      firstSeen: row.first_seen.toISOString(),
      lastSeen: row.last_seen.toISOString(),
      records: Number(row.records),
      duplicates: Number(row.duplicates),
      callsInProgress: row.calls,
    }));
  }
}

async function recordsOf(transaction: Transaction, key: string, storedOn: string): Promise<readonly StoredRecord[]> {
  interface Row {
    readonly id: string;
    readonly kinds: readonly string[];
    readonly front_ends: readonly string[];
    readonly sent_at: Date | null;
    readonly received_at: Date;
    readonly xml: string;
  }
  const { rows } = await transaction.query<Row>(
    `select id, kinds, front_ends, sent_at, received_at, xml from (
       select *, sum(size) over (order by coalesce(sent_at, received_at), digest) as characters
       from records where call_key = $1 and stored_on = $2
     ) as so_far
     where characters <= $3 order by coalesce(sent_at, received_at), digest limit $4`,
    [key, storedOn, MAX_RECORD_CHARACTERS, MAX_RECORDS],
  );
  return rows.map((row) => ({
    id: row.id,
    kinds: row.kinds,
    frontEnds: row.front_ends,
    sentAt: row.sent_at?.toISOString() ?? null,
    receivedAt: row.received_at.toISOString(),
    xml: row.xml,
  }));
}

function conditions(filter: CallFilter, after?: PagePosition): { where: string; values: unknown[] } {
  const values: unknown[] = [];
  const terms: string[] = [];
  const add = (value: unknown, term: (placeholder: string) => string): void => {
    if (value !== undefined) terms.push(term(`$${values.push(value)}`));
  };
  add(filter.states, (states) => `state = any(${states})`);
  add(filter.verdicts, (verdicts) => `verdict = any(${verdicts})`);
  const frontEnd = filter.frontEnd === undefined ? undefined : frontEndKey(filter.frontEnd);
  const keys = [
    ...(frontEnd === undefined ? [] : [searchKey('frontEnd', frontEnd)]),
    ...(filter.party === undefined ? [] : [searchKey('user', filter.party)]),
  ];
  add(keys.length === 0 ? undefined : keys, (all) => `search_keys @> ${all}::text[]`);
  add(filter.from, (from) => `began_at >= ${from}`);
  add(filter.to, (to) => `began_at < ${to}`);
  if (after) {
    const began = `$${values.push(new Date(after.beganAt))}`;
    terms.push(`(began_at, call_key) < (${began}, $${values.push(after.callKey)})`);
  }
  return { where: terms.length === 0 ? '' : `where ${terms.join(' and ')}`, values };
}
