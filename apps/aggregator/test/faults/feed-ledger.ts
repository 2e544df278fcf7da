import { errorReason } from '@ringdown/errors';
import { eventually } from '@ringdown/testing/eventually';
import type { FeedLoad } from '@ringdown/testing/feed-load';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { setTimeout as sleep } from 'node:timers/promises';
import { unpackRecords } from '../../src/store/records/packed-records.js';
import { Database } from '../../src/store/database/database.js';

const ASK_EVERY_MS = 250;
/** A process that was killed waits for the lease of its predecessor, and then reads a few records at a time. */
const STALL_MS = 90_000;
const LONGEST_BACKLOG_MS = 900_000;

const PROGRESS = `
  select (select count(*)::integer from calls) as calls,
    concat((select sum(records + duplicates) from front_ends), ' ', (select sum(sequence) from partition_positions)) as read`;

/** Of calls that are compared in one query. */
const PAGE = 5_000;

interface StoredCall {
  readonly call_key: string;
  readonly exact: boolean;
}

interface Progress {
  readonly calls: number;
  /** Changes with everything that reading stores, also with copies of records that are stored already. */
  readonly read: string;
}

/** What the aggregator has counted for a front end. */
interface CountedFrontEnd {
  readonly name_key: string;
  readonly records: number;
  /** Records that came again, and were not stored. */
  readonly copies: number;
}

/** Records by their CallIds; in `double` also front ends for which more or less was counted than is stored. */
export interface Outcome {
  readonly lost: readonly string[];
  readonly double: readonly string[];
  readonly foreign: readonly string[];
}

export const NOTHING_WRONG: Outcome = { lost: [], double: [], foreign: [] };

/** Compares what was acknowledged to a feed with what is stored. Each record is its own call. */
export class FeedLedger {
  private readonly records: Database;
  /** Records that were found as calls: looking for all of them each time would be most of the load. */
  private readonly confirmed = new Set<string>();
  /** Of the last query for them, empty if it succeeded. */
  private lastError = '';

  constructor(
    databaseUrl: string,
    private readonly load: FeedLoad,
  ) {
    this.records = new Database({ url: databaseUrl, poolSize: 1, logger: quietLogger() });
  }

  /** Resolves when this many more records have become calls. */
  async storesOn(records: number): Promise<void> {
    let enough = Infinity;
    await eventually(
      `${records} more calls in the database`,
      async () => {
        const calls = await this.calls();
        if (calls === undefined) return false;
        enough = Math.min(enough, calls + records);
        return calls >= enough;
      },
      120_000,
    );
  }

  /** Resolves when everything that was acknowledged so far has become calls. */
  async storesAll(): Promise<void> {
    const acknowledged = [...this.load.acknowledged];
    const isWhole = async (): Promise<boolean> => {
      await this.confirm(acknowledged.filter((callId) => !this.confirmed.has(callId))).then(
        () => (this.lastError = ''),
        (error: unknown) => (this.lastError = errorReason(error)),
      );
      return acknowledged.every((callId) => this.confirmed.has(callId));
    };
    await eventually('all calls in the database', isWhole, 300_000);
  }

  /** What is not confirmed yet, for the description of a failure. */
  problem(): string {
    const missing = [...this.load.acknowledged].filter((callId) => !this.confirmed.has(callId));
    const reason = this.lastError === '' ? '' : `; the last query failed: ${this.lastError}`;
    return `${missing.length} of ${this.load.acknowledged.size} acknowledged are not confirmed, from ${missing[0]} to ${missing.at(-1)}${reason}`;
  }

  /**
   * Ends the load, waits until everything acknowledged is stored and nothing more follows, and compares. Each record is
   * its own call, so a lost record is a missing call, and one that was counted twice shows in its call, as another
   * call, or in the counts of its front end.
   */
  async outcome(): Promise<Outcome> {
    const { load } = this;
    await load.stop();
    const stored = await this.everythingStored();
    const counted = await this.counted();
    const sent = load.acknowledged.union(load.unknown);
    const frontEnds = Map.groupBy(stored.keys(), (callId) => callId.split('-')[0] ?? '');
    return {
      lost: [...load.acknowledged].filter((callId) => !stored.has(callId)),
      double: [
        ...[...stored].filter(([, exact]) => !exact).map(([callId]) => callId),
        ...counted.flatMap(({ name_key: name, records, copies }) => {
          const calls = frontEnds.get(name)?.length ?? 0;
          return calls === records + copies ? [] : `${name}: ${records} records and ${copies} copies of ${calls} calls`;
        }),
      ],
      foreign: [...stored.keys()].filter((callId) => !sent.has(callId)),
    };
  }

  async stop(): Promise<void> {
    await this.records.close();
  }

  /**
   * What is stored, as soon as that is everything that was acknowledged, or when nothing was read for a long time. A
   * backlog may take any time, and the database that processes it is not slowed down by queries.
   */
  private async everythingStored(): Promise<ReadonlyMap<string, boolean>> {
    let [last, since]: [Progress, number] = [{ calls: 0, read: '' }, Date.now()];
    return eventually(
      'the last call',
      async () => {
        await sleep(ASK_EVERY_MS);
        const now = (await this.progress()) ?? last;
        if (now.calls !== last.calls || now.read !== last.read) [last, since] = [now, Date.now()];
        const isStalled = Date.now() - since > STALL_MS;
        if (last.calls < this.load.acknowledged.size && !isStalled) return undefined;
        const stored = await this.stored();
        const isWhole = [...this.load.acknowledged].every((callId) => stored.has(callId));
        return isWhole || isStalled ? stored : undefined;
      },
      LONGEST_BACKLOG_MS,
    );
  }

  private async calls(): Promise<number | undefined> {
    return (await this.progress())?.calls;
  }

  /** Undefined while the database does not reply. */
  private async progress(): Promise<Progress | undefined> {
    const query = this.records.read((transaction) => transaction.query<Progress>(PROGRESS));
    return query.then(
      ({ rows }) => rows[0],
      () => undefined,
    );
  }

  private async confirm(callIds: readonly string[]): Promise<void> {
    const { rows } = await this.records.read((transaction) =>
      transaction.query<{ call_key: string }>('select call_key from calls where call_key = any($1)', [callIds]),
    );
    for (const { call_key: key } of rows) this.confirmed.add(key);
  }

  /** Calls, and whether each consists of exactly one record, folded once. */
  async stored(): Promise<ReadonlyMap<string, boolean>> {
    const stored = new Map<string, boolean>();
    for (let last = ''; ;) {
      const page = await this.storedAfter(last);
      for (const { call_key: key, exact } of page) stored.set((last = key), exact);
      if (page.length === 0) return stored;
    }
  }

  private async storedAfter(last: string): Promise<readonly StoredCall[]> {
    const { rows } = await this.records.read((transaction) =>
      transaction.query<StoredCall & { rows: number; packed_records: Buffer | null }>(
        `select call_key, version = 1 and state = 'active' as exact, packed_records,
           (select count(*)::integer from records where records.call_key = calls.call_key) as rows
         from calls where call_key > $1 order by call_key limit ${PAGE}`,
        [last],
      ),
    );
    return rows.map(({ call_key, exact, rows: records, packed_records: packed }) => {
      const all = records + (packed === null ? 0 : unpackRecords(packed).length);
      return { call_key, exact: exact && all === 1 };
    });
  }

  private async counted(): Promise<readonly CountedFrontEnd[]> {
    const { rows } = await this.records.read((transaction) =>
      transaction.query<CountedFrontEnd>(
        `select name_key, sum(records)::integer as records, sum(duplicates)::integer as copies
         from front_ends group by name_key`,
      ),
    );
    return rows;
  }
}
