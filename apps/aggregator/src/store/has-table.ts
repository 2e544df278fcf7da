import type { Database } from './database.js';

/** False while the database does not have the table yet. */
export async function hasTable(database: Database, name: string): Promise<boolean> {
  const { rows } = await database.read((transaction) =>
    transaction.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [name]),
  );
  return rows[0]?.exists === true;
}
