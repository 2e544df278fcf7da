import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Database } from '../src/store/database/database.js';

/** Runs one statement in the database of a system under test. */
export async function runSql(url: string, statement: string): Promise<void> {
  const database = new Database({ url, poolSize: 1, logger: quietLogger() });
  try {
    await database.write((transaction) => transaction.query(statement));
  } finally {
    await database.close();
  }
}
