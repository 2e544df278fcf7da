import { randomUUID } from 'node:crypto';
import type { PoolClient, QueryConfig, QueryResult, QueryResultRow } from 'pg';
import { checkSize } from './query-size.js';

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

  /**
   * `keepsStatements`: whether the database finds a prepared statement again on this connection. `rowsLimit`: see
   * {@link checkSize}.
   */
  constructor(
    private readonly client: PoolClient,
    readonly keepsStatements = true,
    private readonly rowsLimit?: number,
  ) {}

  /** Identifies this connection among all others, also those of other processes. */
  get connection(): string {
    const name = connectionNames.get(this.client) ?? randomUUID();
    connectionNames.set(this.client, name);
    return name;
  }

  /**
   * The size of a statement that is only text is checked. Rejects with the driver's error, and after the first failure
   * with the same error: the database would not accept further statements.
   */
  query<R extends QueryResultRow>(statement: string | QueryConfig, values?: unknown[]): Promise<QueryResult<R>> {
    if (this.hasEnded) return Promise.reject(new Error('the transaction has ended before this statement'));
    const result = this.last.then(async () => {
      if (this.failure) throw this.failure.error;
      if (this.rowsLimit !== undefined && typeof statement === 'string')
        await checkSize(this.client, statement, values ?? [], this.rowsLimit);
      return this.client.query<R>(statement, values);
    });
    this.last = result.catch((error: unknown) => {
      this.failure ??= { error };
    });
    return result;
  }

  /** Resolves when all statements are done. Rejects with the first failure: then nothing can be committed. */
  async end(): Promise<void> {
    this.hasEnded = true;
    await this.last;
    if (this.failure) throw this.failure.error;
  }
}

/** A read without {@link checkSize}: the planner cannot expect it to read many rows. */
export function alwaysSmall(text: string, values: unknown[]): QueryConfig {
  return { text, values };
}

/**
 * A statement that every batch uses: the database parses and plans it once for each connection. Only for statements
 * that write given rows: a plan for looking up rows that was made when the table was empty scans the whole table
 * forever. PGlite has one session for all connections, including those of earlier processes, so no two may use the same
 * name.
 */
export function prepared(transaction: Transaction, text: string, values: unknown[]): QueryConfig {
  if (!transaction.keepsStatements) return { text, values };
  const number = statementNumbers.get(text) ?? statementNumbers.size;
  statementNumbers.set(text, number);
  return { name: `${transaction.connection} ${number}`, text, values };
}
