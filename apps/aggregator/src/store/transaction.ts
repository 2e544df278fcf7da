import { randomUUID } from 'node:crypto';
import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';

const connectionNames = new WeakMap<PoolClient, string>();
const statementNumbers = new Map<string, number>();

/**
 * What runs inside one transaction: its statements, one after the other, however many are asked for at the same time. None
 * runs when the transaction has ended, which would be outside of it.
 */
export class Transaction {
  private last: Promise<unknown> = Promise.resolve();
  private failure: { readonly error: unknown } | undefined;
  private hasEnded = false;

  constructor(private readonly client: PoolClient) {}

  /** Tells this connection from all others, of other processes too. */
  get connection(): string {
    const name = connectionNames.get(this.client) ?? randomUUID();
    connectionNames.set(this.client, name);
    return name;
  }

  /** Rejects as the driver does, and with the same after the first failure: the database would take nothing more. */
  query<R extends QueryResultRow>(statement: string | QueryConfig, values?: unknown[]): Promise<QueryResult<R>> {
    if (this.hasEnded) return Promise.reject(new Error('the transaction has ended before this statement'));
    const result = this.last.then(() => {
      if (this.failure) throw this.failure.error;
      return this.client.query<R>(statement, values);
    });
    this.last = result.catch((error: unknown) => {
      this.failure ??= { error };
    });
    return result;
  }

  /** Resolves when all statements are done. Rejects with the first failure: then there is nothing that could be committed. */
  async end(): Promise<void> {
    this.hasEnded = true;
    await this.last;
    if (this.failure) throw this.failure.error;
  }
}

/**
 * A statement that every batch has: the database reads and plans it once for each connection. Only for what writes rows
 * that are given: a plan to look rows up that was made when the table was empty goes through the whole table for ever.
 * PGlite has one session for all connections, also for those of earlier processes, so no two may use the same name.
 */
export function prepared(transaction: Transaction, text: string, values: unknown[]): QueryConfig {
  const number = statementNumbers.get(text) ?? statementNumbers.size;
  statementNumbers.set(text, number);
  return { name: `${transaction.connection} ${number}`, text, values };
}
