import type { Database } from './database.js';
import { hasTable } from './has-table.js';
import { readMigrations, type Migration } from './migration-files.js';
import { assertNotNewer, unhurried } from './migrations.js';
import type { Transaction } from './transaction.js';

/** A table of the database, as the planner of the database estimates it. */
export interface TableSize {
  readonly name: string;
  readonly rows: number;
  readonly bytes: number;
}

/** What a migration did to the running database while it was tried: known only then. */
export interface Measured {
  readonly ms: number;
  /** Locks that other queries wait for, as `calls (AccessExclusiveLock)`. */
  readonly locks: readonly string[];
}

export interface PlannedMigration {
  readonly version: number;
  /** The first comment of its file. */
  readonly about: string;
  /** Existing tables that it names. */
  readonly tables: readonly TableSize[];
  readonly measured?: Measured;
}

export interface MigrationPlan {
  /** Version of the schema; 0 for a database without one. */
  readonly applied: number;
  /** Version that this program needs. */
  readonly known: number;
  readonly pending: readonly PlannedMigration[];
}

/** Bounds how long queries of a running system wait behind a migration that is only tried. */
const LOCK_TIMEOUT_MS = 5_000;

/** What `migrate` would do, without changing or locking anything. Throws when the database is newer than the program. */
export async function planMigrations(database: Database, migrations?: readonly Migration[]): Promise<MigrationPlan> {
  const known = migrations ?? (await readMigrations());
  return database.read(async (transaction) => {
    const applied = await readSchemaVersion(transaction);
    assertNotNewer(applied, known.length);
    const tables = await tableSizes(transaction);
    const pending = known.slice(applied).map((migration) => planned(migration, tables));
    return { applied, known: known.length, pending };
  });
}

/** Ends the transaction of {@link measureMigrations} without an error. */
class RolledBack extends Error {}

/**
 * As {@link planMigrations}, after running the migrations in a transaction that is rolled back: with the time and the
 * locks of each. Other queries wait for the locks meanwhile, so this is for a copy of the database, or a stopped system.
 */
export async function measureMigrations(database: Database, migrations?: readonly Migration[]): Promise<MigrationPlan> {
  const known = migrations ?? (await readMigrations());
  const plan = await planMigrations(database, known);
  const measured = new Map<number, Measured>();
  const tried = database.write(async (transaction) => {
    await transaction.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const before = new Set(await exclusiveLocks(transaction));
    for (const { version, sql } of known.slice(plan.applied)) {
      const start = performance.now();
      await transaction.query(unhurried(sql));
      const ms = Math.round(performance.now() - start);
      const locks = (await exclusiveLocks(transaction)).filter((lock) => !before.has(lock));
      for (const lock of locks) before.add(lock);
      measured.set(version, { ms, locks });
    }
    throw new RolledBack();
  });
  await tried.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
  const pending = plan.pending.map((each) => {
    const facts = measured.get(each.version);
    return facts === undefined ? each : { ...each, measured: facts };
  });
  return { ...plan, pending };
}

/** Version of the schema; 0 for a database without one. */
export async function readSchemaVersion(transaction: Transaction): Promise<number> {
  if (!(await hasTable(transaction, 'schema_versions'))) return 0;
  const { rows } = await transaction.query<{ version: number | null }>(
    'select max(version) as version from schema_versions',
  );
  return rows[0]?.version ?? 0;
}

/** The tables of this schema; a table of parts counts as one. */
async function tableSizes(transaction: Transaction): Promise<TableSize[]> {
  const { rows } = await transaction.query<{ name: string; rows: number; bytes: number }>(
    `select t.relname as name, sum(greatest(part.reltuples, 0))::float8 as rows,
       sum(pg_total_relation_size(part.oid))::float8 as bytes
     from pg_class t
     join pg_class part on part.oid = t.oid or part.oid in (select relid from pg_partition_tree(t.oid))
     where t.relnamespace = current_schema()::regnamespace and t.relkind in ('r', 'p') and not t.relispartition
     group by t.relname order by t.relname`,
  );
  return rows;
}

/** Tables on which this transaction has a lock that readers or writers of others wait for. */
async function exclusiveLocks(transaction: Transaction): Promise<string[]> {
  const { rows } = await transaction.query<{ lock: string }>(
    `select distinct t.relname || ' (' || l.mode || ')' as lock
     from pg_locks l join pg_class t on t.oid = l.relation
     where l.pid = pg_backend_pid() and l.granted and t.relkind in ('r', 'p') and not t.relispartition
       and t.relnamespace = current_schema()::regnamespace
       and l.mode in ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
     order by 1`,
  );
  return rows.map(({ lock }) => lock);
}

function planned({ version, sql }: Migration, tables: readonly TableSize[]): PlannedMigration {
  const lines = sql.split('\n');
  const end = lines.findIndex((line) => !isComment(line));
  const about = lines.slice(0, end === -1 ? lines.length : end).map((line) => line.slice(2).trim());
  const statements = lines.filter((line) => !isComment(line)).join(' ');
  const words = new Set(statements.split(/\W/));
  return { version, about: about.join(' '), tables: tables.filter(({ name }) => words.has(name)) };
}

function isComment(line: string): boolean {
  return line.trimStart().startsWith('--');
}
