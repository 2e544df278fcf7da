import { isOwnLack, errorReason } from '@ringdown/errors';
import type { Logger } from '@ringdown/observability';
import type { PoolClient } from 'pg';
import { databaseServers, type SessionAttrs } from '../../database-servers.js';
import { currentAsker } from './asker.js';
import { DamagedFiles } from './damaged-files.js';
import { LongReads } from './long-reads.js';
import { isForgottenStatement, isLostConnection, isReadOnly } from './lost-connections.js';
import { ReplicationLag, type ReplayState } from './replication-lag.js';
import { AllConnectionsUsed, poolConfig, ServerPools, type ServerPoolsOptions } from './server-pools.js';
import { Transaction } from './transaction.js';

export interface DatabaseOptions {
  /** Of several servers, the primary is used. */
  readonly url: string;
  /** Servers for {@link Database.readLagging}. */
  readonly readUrl?: string | undefined;
  /** Connections, divided between reading and writing. Default: one. */
  readonly poolSize?: number;
  readonly logger: Logger;
}

/** There is no connection, or it was lost: it is not known whether the current transaction was committed. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

const READ_ONLY_PRIMARY = 'the database can only be read (default_transaction_read_only)';
const READ_TIMEOUT_MS = 10_000;
/**
 * A query that hangs, for example behind a firewall that dropped the connection, is abandoned with its connection. A
 * server that still responds reports first that reading takes too long.
 */
const QUERY_LIMITS_MS = { write: 30_000, read: READ_TIMEOUT_MS + 2_000 };
const BEGIN_READ = beginRead(READ_TIMEOUT_MS);
/**
 * A batch looks up a few hundred rows by their keys: starting other processes for that takes longer than finding them.
 */
const WRITE_SETTINGS = 'set local max_parallel_workers_per_gather = 0; set local jit = off';
/** Positions in the log, as numbers of bytes. */
const WRITTEN = `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::float8 as written`;
const REPLAY_STATE = `
  select pg_is_in_recovery() as "isStandby", coalesce(pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0'), 0)::float8 as replayed,
    extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp())::float8 as "secondsSinceCommit"`;
/** How long to wait for a connection. Batches wait for each other; a client with a query does not wait long. */
const WRITE_WAIT_MS = 60_000;
const READ_WAIT_MS = 5_000;

/**
 * The connections. Reads have their own pool, so that a long batch does not delay responses. Everything runs in a
 * transaction, single reads too: it has their settings.
 */
export class Database {
  /** How many transactions can write at the same time. */
  readonly writesAtOnce: number;
  /** What queries have met. */
  readonly damage: DamagedFiles;
  private readonly writers: ServerPools;
  private readonly readers: ServerPools;
  private readonly lagging: ServerPools | undefined;
  private readonly lag: ReplicationLag | undefined;
  private readonly longReads: LongReads;
  private readonly switchListeners: (() => void)[] = [];

  constructor({ url, readUrl, poolSize = 1, logger }: DatabaseOptions) {
    this.writesAtOnce = Math.ceil(poolSize / 2);
    this.damage = new DamagedFiles(logger);
    this.switchListeners.push(() => this.damage.forget());
    const onSwitch = (): void => this.switchListeners.forEach((listener) => listener());
    const own = { logger, ...serversOf(url, 'primary') };
    const readsAtOnce = Math.max(1, Math.floor(poolSize / 2));
    this.longReads = new LongReads({ connections: readsAtOnce, longMs: READ_TIMEOUT_MS });
    const readPool = poolConfig(readsAtOnce, READ_WAIT_MS, QUERY_LIMITS_MS.read);
    const writePool = poolConfig(this.writesAtOnce, WRITE_WAIT_MS, QUERY_LIMITS_MS.write);
    this.writers = new ServerPools({ ...own, pool: writePool, onSwitch });
    this.readers = poolSize === 1 ? this.writers : new ServerPools({ ...own, pool: readPool });
    this.lagging =
      readUrl === undefined
        ? undefined
        : new ServerPools({ logger, ...serversOf(readUrl, 'prefer-standby'), pool: readPool });
    this.lag = this.lagging && this.lagOf(this.lagging);
  }

  /** By how much the server of {@link readLagging} is behind now, seconds; undefined if it has none of its own. */
  async lagSeconds(): Promise<number | undefined> {
    return this.lag?.seconds();
  }

  /** Called when another server than before is written to: after the promotion of a standby, it may have older data. */
  onSwitch(listener: () => void): void {
    this.switchListeners.push(listener);
  }

  /** Rejects with {@link DatabaseUnavailable} or with what `work` throws; then nothing has changed. */
  write<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.noting(transaction(this.writers, `begin; ${WRITE_SETTINGS}`, work));
  }

  /** One consistent view for all queries of `work`, which may be called twice. For a user also rejects with {@link TooManyLongReads}. */
  read<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return this.limited((limitMs) => this.readWithin(limitMs, this.readers, work));
  }

  /** As {@link read}, for answers that may lack the newest changes; from DATABASE_READ_URL as long as that answers. */
  async readLagging<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const { lagging } = this;
    if (lagging === undefined) return this.read(work);
    return this.limited(async (limitMs) => {
      try {
        return await this.readWithin(limitMs, lagging, work);
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error;
        return this.readWithin(limitMs, this.readers, work);
      }
    });
  }

  /** Used as a health check: whether the database can be written to. */
  async checkWrites(): Promise<void> {
    // Only a primary gives out the number of a transaction, but also one that its operator has set to read only.
    const { rows } = await this.write((transaction) =>
      transaction.query<{ readOnly: string }>(
        `select txid_current(), current_setting('transaction_read_only') as "readOnly"`,
      ),
    );
    if (rows[0]?.readOnly === 'on') throw new DatabaseUnavailable(READ_ONLY_PRIMARY);
  }

  /** Used as a health check. */
  async check(): Promise<void> {
    // Long queries of others are no failure.
    const pool = this.readers.areAllUsed ? this.writers : this.readers;
    await this.noting(transaction(pool, BEGIN_READ, (asked) => asked.query('select 1')));
  }

  private limited<T>(read: (limitMs: number) => Promise<T>): Promise<T> {
    const asker = currentAsker();
    return asker === undefined ? read(READ_TIMEOUT_MS) : this.longReads.run(asker, read);
  }

  private readWithin<T>(
    limitMs: number,
    pool: ServerPools,
    work: (transaction: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.noting(transaction(pool, beginRead(limitMs), work));
  }

  private async noting<T>(answer: Promise<T>): Promise<T> {
    try {
      return await answer;
    } catch (error) {
      this.damage.note(error);
      throw error;
    }
  }

  private lagOf(lagging: ServerPools): ReplicationLag {
    return new ReplicationLag({
      written: async () => {
        const { rows } = await this.read((primary) => primary.query<{ written: number }>(WRITTEN));
        return rows[0]?.written ?? 0;
      },
      replay: async () => {
        const { rows } = await transaction(lagging, BEGIN_READ, (standby) => standby.query<ReplayState>(REPLAY_STATE));
        return rows[0] ?? { isStandby: false, replayed: 0, secondsSinceCommit: null };
      },
    });
  }

  async close(): Promise<void> {
    const pools = new Set([this.writers, this.readers, this.lagging ?? this.readers]);
    await Promise.all([...pools].map((pool) => pool.close()));
  }
}

/** Statistics look expensive to the planner; compiling them to machine code takes seconds, running them does not. */
function beginRead(limitMs: number): string {
  return `begin isolation level repeatable read read only; set local statement_timeout = ${limitMs}; set local jit = off`;
}

function serversOf(url: string, usual: SessionAttrs): Pick<ServerPoolsOptions, 'servers' | 'attrs'> {
  const { servers, attrs = usual } = databaseServers(url);
  return { servers, attrs };
}

async function transaction<T>(
  pool: ServerPools,
  begin: string,
  work: (transaction: Transaction) => Promise<T>,
): Promise<T> {
  return onConnection(pool, async (client, discard) => {
    const statements = new Transaction(client, pool.keepsStatements);
    try {
      await client.query(begin);
      const result = await work(statements);
      await statements.end();
      await client.query('commit');
      return result;
    } catch (error) {
      // Statements that no one has awaited may still be running.
      await statements.end().catch(() => undefined);
      if (isForgottenStatement(error)) pool.forgotStatement();
      if (!isServerLost(error))
        await client.query('rollback').catch((failure: unknown) => discard(unavailable(failure)));
      throw error;
    }
  });
}

/** `discard`: after it, the connection is not used again. */
async function onConnection<T>(
  pool: ServerPools,
  work: (client: PoolClient, discard: (reason: Error) => void) => Promise<T>,
): Promise<T> {
  const client = await pool.connect().catch((error: unknown) => {
    throw unavailable(error);
  });
  let broken: Error | undefined;
  const discard = (reason: Error): void => {
    broken = reason;
  };
  client.on('error', discard);
  try {
    return await work(client, discard);
  } catch (error) {
    if (!isServerLost(error)) throw error;
    broken = isReadOnly(error) ? await whyReadOnly(client, error) : unavailable(error);
    pool.failed();
    throw broken;
  } finally {
    client.off('error', discard);
    // A connection in an unknown state is not used again.
    client.release(broken);
  }
}

function isServerLost(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || isLostConnection(error) || isReadOnly(error);
}

/** A standby and a primary that only allows reading reject writes with the same error. */
async function whyReadOnly(client: PoolClient, cause: unknown): Promise<DatabaseUnavailable> {
  const answer = await client
    .query('rollback')
    .then(() => client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"'))
    .catch(() => undefined);
  const isStandby = answer?.rows[0]?.isStandby;
  const known = isStandby ? 'DATABASE_URL leads to a standby, which cannot be written to' : READ_ONLY_PRIMARY;
  const what = isStandby === undefined ? 'the database cannot be written to' : known;
  return new DatabaseUnavailable(`${what}: ${errorReason(cause)}`, { cause });
}

/** Whether other queries use all connections. */
export function isBusy(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && error.cause instanceof AllConnectionsUsed;
}

function unavailable(cause: unknown): DatabaseUnavailable {
  if (cause instanceof DatabaseUnavailable) return cause;
  if (cause instanceof AllConnectionsUsed) return new DatabaseUnavailable(cause.message, { cause });
  const what = isOwnLack(cause) ? 'this process cannot connect to the database' : 'the database does not respond';
  return new DatabaseUnavailable(`${what}: ${errorReason(cause)}`, { cause });
}
