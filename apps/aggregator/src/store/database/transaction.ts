import { randomUUID } from 'node:crypto';
import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';

const connectionNames = new WeakMap<PoolClient, string>();
const statementNumbers = new Map<string, number>();

/**
 * What runs inside one transaction: its statements, one after the other, however many are started at the same time.
 * None runs after the transaction has ended, which would be outside of it.
 */
export class Transaction {
  private last: Promise<unknown> = Promise.resolve();
  private failure: { readonly error: unknown } | undefined;
  private hasEnded = false;

  /** `keepsStatements`: whether the database finds a prepared statement again on this connection. */
  constructor(
    private readonly client: PoolClient,
    readonly keepsStatements = true,
  ) {}

  /** Identifies this connection among all others, also those of other processes. */
  get connection(): string {
    const name = connectionNames.get(this.client) ?? randomUUID();
    connectionNames.set(this.client, name);
    return name;
  }

  /**
   * Rejects with the driver's error, and after the first failure with the same error: the database would not accept further
   * statements.
   */
  query<R extends QueryResultRow>(statement: string | QueryConfig, values?: unknown[]): Promise<QueryResult<R>> {
    return this.run(() => this.client.query<R>(statement, values));
  }

  /** Resolves when all statements are done. Rejects with the first failure: then nothing can be committed. */
  async end(): Promise<void> {
    this.hasEnded = true;
    await this.last;
    if (this.failure) throw this.failure.error;
  }

  private run<T>(work: () => Promise<T>): Promise<T> {
    if (this.hasEnded) return Promise.reject(new Error('the transaction has ended before this statement'));
    const result = this.last.then(() => {
      if (this.failure) throw this.failure.error;
      return work();
    });
    this.last = result.catch((error: unknown) => {
      this.failure ??= { error };
    });
    return result;
  }
}

/**
 * A statement that every batch uses: the database parses and plans it once for each connection. Only for statements
 * that write given rows: a plan for looking up rows that was made when the table was empty scans the whole table
 * forever. A pooler may give one session to several connections, so no two may use the same name.
 */
export function prepared(transaction: Transaction, text: string, values: unknown[]): QueryConfig {
  if (!transaction.keepsStatements) return { text, values };
  const number = statementNumbers.get(text) ?? statementNumbers.size;
  statementNumbers.set(text, number);
  return { name: `${transaction.connection} ${number}`, text, values };
}
