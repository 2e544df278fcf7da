import { isMark } from '@ringdown/identity-hiding';
import type { Verdict } from '@ringdown/quality';
import { IN_PROGRESS, type Call, type CallState } from '../../calls/call.js';
import { callKey } from '../../calls/call-keys.js';
import { searchKey } from '../../search/keys/search-keys.js';
import type { CallFilter } from '../../search/filter/call-filter.js';
import type { CallSort } from './call-orders.js';
import { readCallPage, type CallPage, type PagePosition } from './call-page.js';
import { IS_IN_PROGRESS } from '../database/call-states.js';
import type { Database } from '../database/database.js';
import { hasTable } from '../database/has-table.js';
import { storedDaysOf } from './known-calls.js';
import { linkedTo, type LinkedCall } from './linked-calls.js';
import { rowsWithRoom } from './rows-with-room.js';
import { STORED_CALL, storedCall, type StoredCallRow } from '../records/stored-call.js';
import { storedRecords, type StoredRecord } from './stored-records.js';
import type { Transaction } from '../database/transaction.js';

export interface CallWithRecords {
  readonly call: Call;
  /** Other calls that are linked to it. */
  readonly linked: readonly LinkedCall[];
  /** In the order of their times; only the first ones when there are too many to send at once. */
  readonly records: readonly StoredRecord[];
  readonly recordsLeftOut: number;
}

export interface CallsInProgress {
  /** The newest first, as many as can be sent at once. */
  readonly calls: readonly Call[];
  /** How many there are, `calls` included. */
  readonly total: number;
  /** How many of all there are of each kind; only when `calls` does not contain all. */
  readonly counts?: CallCounts;
}

/** Numbers of calls by state, by verdict and by front end. A call of two front ends counts for both. */
export interface CallCounts {
  readonly states: Readonly<Record<string, number>>;
  readonly verdicts: Readonly<Record<string, number>>;
  readonly frontEnds: Readonly<Record<string, number>>;
}

export interface RecentCalls {
  readonly state: CallState;
  readonly verdict: Verdict;
  readonly total: number;
}

const NEWEST_FIRST = 'order by began_at desc, call_key desc';
/** Three times the size of a thousand usual calls. */
const MAX_IN_PROGRESS_CHARACTERS = 16 * 1_024 * 1_024;
const MAX_FRONT_ENDS = 1_000;

/** All queries about calls. */
export class CallQueries {
  constructor(private readonly database: Database) {}

  page(filter: CallFilter, sort: CallSort, limit: number, after?: PagePosition): Promise<CallPage> {
    return this.database.read((transaction) => readCallPage(transaction, filter, sort, limit, after));
  }

  /** The CallId behind the mark that is shown when it is hidden; any other text is a CallId itself. */
  async callIdOf(shown: string): Promise<string> {
    if (!isMark(shown)) return shown;
    const { rows } = await this.database.read((transaction) =>
      transaction.query<{ call_key: string }>(
        `select call_key from calls where search_keys && array[$1::text] order by began_at, call_key limit 1`,
        [searchKey('callId', shown)],
      ),
    );
    return rows[0]?.call_key ?? shown;
  }

  /** Undefined when the call does not exist. `what`: the form in which its records are requested. */
  byId(callId: string, what: 'xml' | 'content' = 'xml'): Promise<CallWithRecords | undefined> {
    const key = callKey(callId);
    // PostgreSQL does not allow this character in texts, nor does XML.
    if (key.includes('\0')) return Promise.resolve(undefined);
    return this.database.read(async (transaction) => {
      const place = (await storedDaysOf(transaction, [key])).get(key);
      const { rows } = await transaction.query<{
        call: Call | null;
        packed_records: Buffer | null;
        record_rows: boolean;
      }>('select call, packed_records, record_rows from calls where call_key = $1 and stored_on = $2', [key, place]);
      const [row] = rows;
      if (place === undefined || row === undefined) return undefined;
      const found = {
        callKey: key,
        storedOn: place,
        packedRecords: row.packed_records,
        hasRecordRows: row.record_rows,
      };
      const { records, total } = await storedRecords(transaction, found, what === 'content');
      const call = storedCall({ call: row.call, sealed: row.packed_records });
      const linked = await linkedTo(transaction, key, call);
      return { call, linked, records, recordsLeftOut: total - records.length };
    });
  }

  inProgress(limit: number): Promise<CallsInProgress> {
    return this.database.read(async (transaction) => {
      const { rows } = await transaction.query<StoredCallRow & { found: number }>(
        rowsWithRoom({
          page: `select call, call_bytes, packed_records, began_at, call_key from calls where ${IS_IN_PROGRESS} ${NEWEST_FIRST} limit $1`,
          columns: `${STORED_CALL}, found`,
          sorting: NEWEST_FIRST,
          mostCharacters: MAX_IN_PROGRESS_CHARACTERS,
          room: `${MAX_IN_PROGRESS_CHARACTERS}`,
        }),
        [limit],
      );
      const calls = rows.map(storedCall);
      const found = rows[0]?.found ?? 0;
      if (found < limit && calls.length === found) return { calls, total: found };
      return { calls, ...(await countsInProgress(transaction)) };
    });
  }

  /** In the order of their keys, after the given key; none before the first start has created the tables. */
  inProgressAfter(key: string, limit: number): Promise<readonly Call[]> {
    return this.database.read(async (transaction) => {
      // Other services request them as soon as they start.
      if (!(await hasTable(transaction, 'calls'))) return [];
      const { rows } = await transaction.query<StoredCallRow>(
        `select ${STORED_CALL} from calls where ${IS_IN_PROGRESS} and call_key > $1 order by call_key limit $2`,
        [key, limit],
      );
      return rows.map(storedCall);
    });
  }

  /** The number of calls in each state of calls in progress. */
  async countInProgress(): Promise<ReadonlyMap<CallState, number>> {
    const { rows } = await this.database.read((transaction) =>
      transaction.query<{ state: CallState; total: number }>(
        `select state, count(*)::integer as total from calls where ${IS_IN_PROGRESS} group by state`,
      ),
    );
    const counted = new Map(rows.map(({ state, total }) => [state, total]));
    return new Map(IN_PROGRESS.map((state) => [state, counted.get(state) ?? 0]));
  }

  /** Calls that began within the last hour, by the clocks of their front ends. */
  async countRecent(): Promise<readonly RecentCalls[]> {
    const { rows } = await this.database.read((transaction) =>
      transaction.query<RecentCalls>(
        `select state, verdict, count(*)::integer as total from calls
         where began_at > now() - interval '1 hour' group by state, verdict`,
      ),
    );
    return rows;
  }
}

async function countsInProgress(
  transaction: Transaction,
): Promise<Required<Pick<CallsInProgress, 'total' | 'counts'>>> {
  const kinds = await transaction.query<RecentCalls>(
    `select state, verdict, count(*)::integer as total from calls where ${IS_IN_PROGRESS} group by state, verdict`,
  );
  const frontEnds = await transaction.query<{ name: string; total: number }>(
    `select name, count(*)::integer as total from calls cross join unnest(front_ends) as name
     where ${IS_IN_PROGRESS} group by name order by total desc, name limit ${MAX_FRONT_ENDS}`,
  );
  const sumBy = (kind: 'state' | 'verdict'): Record<string, number> => {
    const sums: Record<string, number> = {};
    for (const row of kinds.rows) sums[row[kind]] = (sums[row[kind]] ?? 0) + row.total;
    return sums;
  };
  return {
    total: kinds.rows.reduce((sum, { total }) => sum + total, 0),
    counts: {
      states: sumBy('state'),
      verdicts: sumBy('verdict'),
      // Names are those of records: `fromEntries` also keeps one like `__proto__`.
      frontEnds: Object.fromEntries(frontEnds.rows.map(({ name, total }) => [name, total])),
    },
  };
}
