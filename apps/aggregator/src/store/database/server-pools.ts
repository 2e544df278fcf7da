import type { Logger } from '@ringdown/observability';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { ServerChoice, type ServerChoiceOptions } from './server-choice.js';

export interface ServerPoolsOptions extends ServerChoiceOptions {
  readonly pool: Omit<PoolConfig, 'connectionString'>;
  /** Called when another server is used than before: it may have older data. */
  readonly onSwitch?: () => void;
}

/** Every connection is used by a transaction: the server works. */
export class AllConnectionsUsed extends Error {
  override readonly name = 'AllConnectionsUsed';
}

export function poolConfig(max: number, connectionTimeoutMillis: number, query_timeout: number): PoolConfig {
  return { max, connectionTimeoutMillis, query_timeout, application_name: 'ringdown aggregator', keepAlive: true };
}

/** A pool, and how many of its connections are in use; those that are being made are not. */
interface CountedPool {
  readonly pool: Pool;
  used: number;
}

/** The connections to whichever of several database servers is in use. */
export class ServerPools {
  readonly choice: ServerChoice;
  private current: CountedPool | undefined;
  private url: string | undefined;
  private hasForgotten = false;
  private readonly closing = new Set<Promise<void>>();

  constructor(private readonly options: ServerPoolsOptions) {
    this.choice = new ServerChoice(options);
  }

  /** Rejects when no server fits, or does not answer, and with {@link AllConnectionsUsed}. */
  async connect(): Promise<PoolClient> {
    const { url } = await this.choice.server();
    const counted = this.poolOf(url);
    try {
      return await counted.pool.connect();
    } catch (cause) {
      if (this.areAllUsed) throw new AllConnectionsUsed('all connections to the database are in use', { cause });
      this.choice.forget();
      throw cause;
    }
  }

  get areAllUsed(): boolean {
    const { max = 0 } = this.options.pool;
    return this.current !== undefined && this.current.used >= max;
  }

  /** The server in use has failed, or cannot be written to any more. */
  failed(): void {
    this.choice.forget();
  }

  /** Whether statements can be prepared for later transactions of a connection. */
  get keepsStatements(): boolean {
    return !this.hasForgotten;
  }

  /** The server did not know a statement that was prepared on the same connection. */
  forgotStatement(): void {
    if (this.hasForgotten) return;
    this.hasForgotten = true;
    const hint = 'statements are no longer prepared, which costs the database more time';
    this.options.logger.warn({ hint }, 'a proxy gives the connections of the database to several clients');
  }

  async close(): Promise<void> {
    this.retire();
    await Promise.all(this.closing);
  }

  private poolOf(url: string): CountedPool {
    if (this.current !== undefined && this.url === url) return this.current;
    if (this.current !== undefined) this.options.onSwitch?.();
    this.retire();
    this.current = makePool({ ...this.options.pool, connectionString: url }, this.options.logger);
    this.url = url;
    return this.current;
  }

  /** Transactions that still run on the former server end there. */
  private retire(): void {
    if (this.current === undefined) return;
    const ending = this.current.pool.end().finally(() => this.closing.delete(ending));
    this.closing.add(ending);
    this.current = undefined;
  }
}

function makePool(config: PoolConfig, logger: Logger): CountedPool {
  const made = new Pool(config);
  const counted = { pool: made, used: 0 };
  made.on('acquire', () => counted.used++);
  made.on('release', () => counted.used--);
  // Without a listener, the end of an idle connection would end the process.
  made.on('error', (error) => {
    // One that is being closed may still hear that its server stops.
    if (!made.ending) logger.warn({ reason: error.message }, 'lost a connection to the database');
  });
  return counted;
}
