import type { QueryConfig } from 'pg';
import type { Database } from './database.js';
import { MIGRATIONS } from './schema.js';
import type { Transaction } from './transaction.js';

/** Any number; it is the same for all replicas, which start at the same time. */
const MIGRATION_LOCK = 7_464_646;

const STEP_TIMEOUT_MS = 12 * 3_600_000;

/** Brings the database up to date. Throws when a newer program has changed it in ways that are not known here. */
export async function migrate(database: Database, steps: readonly string[] = MIGRATIONS): Promise<void> {
  await database.write(async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const done = await appliedVersion(transaction);
    if (done > steps.length) {
      throw new Error(`the database has version ${done}, this program knows ${steps.length}: it is too old`);
    }
    for (const [index, step] of steps.entries()) {
      if (index < done) continue;
      await transaction.query(unhurried(step));
      await transaction.query('insert into schema_versions (version) values ($1)', [index + 1]);
    }
  });
}

/** Millions of calls are not rewritten in the time that other queries have. */
export function unhurried(text: string): QueryConfig & { query_timeout: number } {
  return { text, query_timeout: STEP_TIMEOUT_MS };
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
