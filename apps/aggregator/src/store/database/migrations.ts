import type { QueryConfig } from 'pg';
import type { Database } from './database.js';
import { hasTable } from './has-table.js';
import { readMigrations, type Migration } from './migration-files.js';
import type { Transaction } from './transaction.js';

/** Any number; the same one in all replicas, which may start at the same time. */
const MIGRATION_LOCK = 7_464_646;

/** The table that a database has while it is restored from a backup. */
export const UNFINISHED_RESTORE = 'unfinished_restore';

const MIGRATION_TIMEOUT_MS = 12 * 3_600_000;

/** Updates the schema of the database. Throws when a newer program has changed it in ways that are not known here. */
export async function migrate(database: Database, migrations?: readonly Migration[]): Promise<void> {
  const known = migrations ?? (await readMigrations());
  await database.write(async (transaction) => {
    await assertRestored(transaction);
    await applyMigrations(transaction, known);
  });
}

/** As {@link migrate}, inside a transaction that does more. */
export async function applyMigrations(transaction: Transaction, known: readonly Migration[]): Promise<void> {
  await transaction.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
  const applied = await appliedVersion(transaction);
  assertNotNewer(applied, known.length);
  for (const { version, sql } of known) {
    if (version <= applied) continue;
    await transaction.query(unhurried(sql));
    await transaction.query('insert into schema_versions (version) values ($1)', [version]);
  }
}

/** A part of the bus may be of the backup already, and the rest of the time before it. */
async function assertRestored(transaction: Transaction): Promise<void> {
  if (await hasTable(transaction, UNFINISHED_RESTORE))
    throw new Error('a restore of this database was interrupted: run it again without --replace');
}

/** Throws for a database that a newer program has migrated: no program migrates back. */
export function assertNotNewer(applied: number, known: number): void {
  if (applied <= known) return;
  throw new Error(
    `this program is too old for the database: the schema has version ${applied}, the program supports ${known}. ` +
      'Start the version that ran before, or restore a backup from before the upgrade',
  );
}

/** Millions of calls cannot be rewritten within the time limit of other queries. */
export function unhurried(text: string): QueryConfig & { query_timeout: number } {
  return { text, query_timeout: MIGRATION_TIMEOUT_MS };
}

async function appliedVersion(transaction: Transaction): Promise<number> {
  await transaction.query(
    'create table if not exists schema_versions (version integer primary key, applied_at timestamptz not null default now())',
  );
  const { rows } = await transaction.query<{ version: number | null }>(
    'select max(version) as version from schema_versions',
  );
  return rows[0]?.version ?? 0;
}
