import { partitionOfCall, PARTITIONS, type PublishedRecord } from '@ringdown/contracts/records';
import type { Position } from '@ringdown/feed-bus';
import { startPostgres, type TestDatabase } from '@ringdown/testing/servers/database';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { defaultRules } from '../src/calls/derive-call.js';
import type { FoldCall } from '../src/calls/fold.js';
import { CallStore, type Committed } from '../src/store/calls/call-store.js';
import { Database } from '../src/store/database/database.js';
import { History } from '../src/store/calls/history.js';
import { migrate } from '../src/store/database/migrations.js';
import { movePendingEntries } from '../src/store/calls/pending-entries.js';

const COPIES_AT_ONCE = 500;

/**
 * Adds so many calls with the values of the one that is there, and with those of `values`: SQL of `n`, the number of the copy.
 * In portions, because one statement may take no longer than a write.
 */
export async function copyCalls(database: Database, copies: number, values: string): Promise<void> {
  for (let first = 1; first <= copies; first += COPIES_AT_ONCE) {
    await database.write(async (transaction) => {
      await transaction.query(
        `insert into calls select (jsonb_populate_record(calls, jsonb_build_object('call_key', 'copy ' || n, ${values}))).*
         from calls, generate_series($1::integer, $2::integer) as n where call_key not like 'copy %'`,
        [first, Math.min(copies, first + COPIES_AT_ONCE - 1)],
      );
    });
  }
}

/** A database with its tables, and a store that is used like by the reader of the feed. */
export class StoreUnderTest {
  readonly history: History;
  readonly store: CallStore;
  private readonly positions = new Map<number, Position>();

  private constructor(
    readonly database: Database,
    private readonly server: TestDatabase,
    foldCall?: FoldCall,
  ) {
    this.history = new History(database);
    this.store = new CallStore({ database, rules: defaultRules, limitMs: 60_000, ...(foldCall && { foldCall }) });
  }

  static async start(foldCall?: FoldCall): Promise<StoreUnderTest> {
    const server = await startPostgres();
    const database = new Database({ url: server.url, poolSize: 4, logger: quietLogger() });
    const made = new StoreUnderTest(database, server, foldCall);
    await migrate(database);
    await made.history.prepare();
    return made;
  }

  /** One batch; all records belong to calls of one partition. */
  async commit(...records: readonly PublishedRecord[]): Promise<Committed> {
    const [first] = records;
    if (first === undefined) throw new Error('a batch has at least one record');
    const partition = partitionOfCall(first.record.connection.callId);
    const before = this.positions.get(partition);
    const after = { epoch: 'e', sequence: (before?.sequence ?? 0) + 1 };
    const read = records.map((record) => ({ ...record, storedAt: record.receivedAt }));
    const committed = await this.store.commit({
      partition,
      before,
      after,
      records: read,
      sent: [],
      backlog: 0,
      partitions: PARTITIONS,
    });
    this.positions.set(partition, after);
    return committed;
  }

  /** As autovacuum does within a minute: tables themselves, not those that consist of others. */
  async renewStatistics(): Promise<void> {
    const sql = `select quote_ident(relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`;
    await this.database.write(async (transaction) => {
      const { rows } = await transaction.query<{ name: string }>(sql);
      for (const { name } of rows) await transaction.query(`analyze ${name}`);
    });
    await movePendingEntries(this.database);
  }

  /** As if the call had been stored this many days ago. */
  async age(callKey: string, days: number): Promise<void> {
    await this.database.write(async (transaction) => {
      for (const table of ['call_places', 'calls', 'records']) {
        await transaction.query(
          `update ${table} set stored_on = (now() at time zone 'utc')::date - $2::integer where call_key = $1`,
          [callKey, days],
        );
      }
    });
  }

  async rows(sql: string): Promise<readonly unknown[]> {
    return (await this.database.read((transaction) => transaction.query<Record<string, unknown>>(sql))).rows;
  }

  async stop(): Promise<void> {
    await this.database.close();
    await this.server.stop();
  }
}
