import type { Logger } from '@ringdown/observability';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { ServerChoice, type ServerChoiceOptions } from './server-choice.js';

export interface ServerPoolsOptions extends ServerChoiceOptions {
  readonly pool: Omit<PoolConfig, 'connectionString'>;
  /** Called when another server is used than before: it may have older data. */
  readonly onSwitch?: () => void;
}

/** The connections to whichever of several database servers is in use. */
export class ServerPools {
  readonly choice: ServerChoice;
  private pool: Pool | undefined;
  private url: string | undefined;
  private hasForgotten = false;
  private readonly closing = new Set<Promise<void>>();

  constructor(private readonly options: ServerPoolsOptions) {
    this.choice = new ServerChoice(options);
  }

  /** Rejects when no server fits, or does not answer. */
  async connect(): Promise<PoolClient> {
    const { url } = await this.choice.server();
    try {
      return await this.poolOf(url).connect();
    } catch (error) {
      this.choice.forget();
      throw error;
    }
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

  private poolOf(url: string): Pool {
    if (this.pool !== undefined && this.url === url) return this.pool;
    if (this.pool !== undefined) this.options.onSwitch?.();
    this.retire();
    this.pool = makePool({ ...this.options.pool, connectionString: url }, this.options.logger);
    this.url = url;
    return this.pool;
  }

  /** Transactions that still run on the former server end there. */
  private retire(): void {
    if (this.pool === undefined) return;
    const ending = this.pool.end().finally(() => this.closing.delete(ending));
    this.closing.add(ending);
    this.pool = undefined;
  }
}

function makePool(config: PoolConfig, logger: Logger): Pool {
  const made = new Pool(config);
  // Without a listener, the end of an idle connection would end the process.
  made.on('error', (error) => {
    // One that is being closed may still hear that its server stops.
    if (!made.ending) logger.warn({ reason: error.message }, 'lost a connection to the database');
  });
  return made;
}
