import type { Database } from '../store/database/database.js';
import { readMigrations, type Migration } from '../store/database/migration-files.js';
import { applyMigrations, UNFINISHED_RESTORE } from '../store/database/migrations.js';
import type { Transaction } from '../store/database/transaction.js';
import { tablePartitions, quoted, schemaTables, TEXT_SETTINGS } from './database-copy.js';
import { isForeignTable, isOwnTable } from './own-tables.js';
import type { DatabaseCopy, PartitionCopy, TableCopy } from './manifest.js';

const PAGE_CHARACTERS = 2_097_152;
const PAGE_ROWS = 1_000;
const TRIAL_SCHEMA = 'ringdown_restore_trial';
/** As PostgreSQL writes it: words, dates and numbers. */
const BOUND = /^(?:FOR VALUES [A-Z0-9(), ':.+-]{1,200}|DEFAULT)$/;

/** What is in a database that is to be restored. */
export interface DatabaseState {
  readonly content: 'empty' | 'tables' | 'unfinished restore';
  /** Tables of another program. */
  readonly foreign: readonly string[];
  /** When the unfinished restore began. */
  readonly since?: Date;
}

export async function databaseState(database: Database): Promise<DatabaseState> {
  const migrations = await readMigrations();
  return database.read(async (transaction) => {
    const names = (await schemaTables(transaction)).map(({ name }) => name);
    const foreign = names.filter((name) => isForeignTable(migrations, name));
    if (!names.includes(UNFINISHED_RESTORE)) return { content: names.length > 0 ? 'tables' : 'empty', foreign };
    const { rows } = await transaction.query<{ since: Date }>(`select since from ${UNFINISHED_RESTORE} limit 1`);
    return { content: 'unfinished restore', foreign, ...rows[0] };
  });
}

/** Until the restore is complete, aggregators do not use the database. The time of an earlier try is kept. */
export async function markUnfinished(database: Database): Promise<void> {
  await database.write(async (transaction) => {
    await transaction.query(`create table if not exists ${UNFINISHED_RESTORE} (since timestamptz not null)`);
    await transaction.query(
      `insert into ${UNFINISHED_RESTORE} select $1 where not exists (select from ${UNFINISHED_RESTORE})`,
      [new Date()],
    );
  });
}

/** Ends the transaction of {@link assertRestorable} without an error. */
class RolledBack extends Error {}

/** Rejects when the tables of the copy are not those of its version; nothing has changed in any case. */
export async function assertRestorable(database: Database, copy: DatabaseCopy): Promise<void> {
  const migrations = await readMigrations();
  const tried = database.write(async (transaction) => {
    // Beside the existing tables, whose schema follows in the path: an extension may be there.
    await transaction.query(`create schema ${TRIAL_SCHEMA}`);
    await transaction.query(
      `select set_config('search_path', '${TRIAL_SCHEMA}, ' || current_setting('search_path'), true)`,
    );
    await createTables(transaction, copy, migrations);
    throw new RolledBack();
  });
  await tried.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) throw error;
  });
}

/** Creates the tables of the copy, without rows. Rejects when it has others. */
async function createTables(
  transaction: Transaction,
  copy: DatabaseCopy,
  migrations: readonly Migration[],
): Promise<void> {
  await applyMigrations(transaction, migrations.slice(0, copy.schemaVersion));
  const existing = (await schemaTables(transaction)).filter(({ name }) => isOwnTable(migrations, name));
  const copied = new Map(copy.tables.map(({ name, columns }) => [name, columns]));
  for (const { name, columns } of existing) {
    if (copied.get(name)?.join() !== columns.join())
      throw new Error(`the table ${name} of the backup has other columns than version ${copy.schemaVersion}`);
  }
  await recreatePartitions(transaction, copy.partitions);
}

/**
 * Replaces the tables of Ringdown by the copy, in one transaction. `rowsOf`: the rows of a table. Rejects when the copy
 * does not have the rows that it should have; then nothing has changed.
 */
export async function restoreDatabase(
  database: Database,
  copy: DatabaseCopy,
  rowsOf: (table: string) => AsyncIterable<string>,
): Promise<void> {
  const migrations = await readMigrations();
  await database.write(async (transaction) => {
    await transaction.query(TEXT_SETTINGS);
    await dropOwnTables(transaction);
    await createTables(transaction, copy, migrations);
    for (const table of copy.tables) await restoreTable(transaction, table, rowsOf(table.name));
    for (const { name, lastValue } of copy.sequences) {
      await transaction.query('select setval($1::regclass, $2::bigint)', [quoted(name), lastValue]);
    }
    await transaction.query(`drop table if exists ${UNFINISHED_RESTORE}`);
  });
}

async function dropOwnTables(transaction: Transaction): Promise<void> {
  const names = (await schemaTables(transaction)).map(({ name }) => name).filter((name) => name !== UNFINISHED_RESTORE);
  if (names.length > 0) await transaction.query(`drop table ${names.map(quoted).join(', ')} cascade`);
}

/** A migration creates the week in which it runs, which may overlap weeks of the copy. */
async function recreatePartitions(transaction: Transaction, partitions: readonly PartitionCopy[]): Promise<void> {
  for (const { name } of await tablePartitions(transaction)) await transaction.query(`drop table ${quoted(name)}`);
  for (const { table, name, bound } of partitions) {
    if (!BOUND.test(bound)) throw new Error(`the bounds of ${name} cannot be read: ${bound}`);
    await transaction.query(
      `create table ${quoted(name)} (like ${quoted(table)} including defaults including compression)`,
    );
    await transaction.query(`alter table ${quoted(table)} attach partition ${quoted(name)} ${bound}`);
  }
}

async function restoreTable(
  transaction: Transaction,
  { name, columns, rows }: TableCopy,
  texts: AsyncIterable<string>,
): Promise<void> {
  // Migrations insert rows into some tables.
  await transaction.query(`delete from ${quoted(name)}`);
  const list = columns.map(quoted);
  const insert =
    `insert into ${quoted(name)} (${list.join(', ')}) overriding system value ` +
    `select ${list.map((column) => `(copied).${column}`).join(', ')} ` +
    `from (select text::${quoted(name)} as copied from unnest($1::text[]) as text offset 0) as rows`;
  let restored = 0;
  for await (const page of rowPages(texts)) {
    await transaction.query(insert, [page]);
    restored += page.length;
  }
  if (restored !== rows) throw new Error(`the copy of the table ${name} has ${restored} rows instead of ${rows}`);
}

async function* rowPages(texts: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
  let page: string[] = [];
  let characters = 0;
  for await (const text of texts) {
    page.push(text);
    characters += text.length;
    if (page.length < PAGE_ROWS && characters < PAGE_CHARACTERS) continue;
    yield page;
    page = [];
    characters = 0;
  }
  if (page.length > 0) yield page;
}
