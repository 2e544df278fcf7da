import type { Transaction } from './transaction.js';

/** Whether the database has the table, or a migration creates it later. */
export async function hasTable(transaction: Transaction, name: string): Promise<boolean> {
  const { rows } = await transaction.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [name]);
  return rows[0]?.exists === true;
}
