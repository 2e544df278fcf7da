import type { Database } from './database.js';
import type { Transaction } from './transaction.js';

/** The clock of the database, milliseconds since 1970: the clock that all replicas share. */
export function databaseTime(database: Database): Promise<number> {
  return database.read((transaction) => timeIn(transaction));
}

/** The same clock, for code that already reads in a transaction. */
export async function timeIn(transaction: Transaction): Promise<number> {
  const { rows } = await transaction.query<{ now_ms: number }>(
    'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now_ms',
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the database returned no time');
  return row.now_ms;
}
