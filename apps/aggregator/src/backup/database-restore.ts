import type { Database } from '../store/database.js';
import { readMigrations } from '../store/migration-files.js';
import { versionOf } from '../store/migration-plan.js';
import { applyMigrations, UNFINISHED_RESTORE } from '../store/migrations.js';
import type { Transaction } from '../store/transaction.js';
import { partitionsOf, quoted, tablesOf, TEXT_SETTINGS } from './database-copy.js';
import type { DatabaseCopy, PartitionCopy, TableCopy } from './manifest.js';

const PAGE_CHARACTERS = 2_097_152;
const PAGE_ROWS = 1_000;
/** As PostgreSQL writes it: words, dates and numbers. */
const BOUND = /^(?:FOR VALUES [A-Z0-9(), ':.+-]{1,200}|DEFAULT)$/;

/** What is in a database that is to be restored. */
export interface DatabaseState {
  /** `foreign`: tables of another program. */
  readonly content: 'empty' | 'tables' | 'unfinished restore' | 'foreign';
}

export function databaseState(database: Database): Promise<DatabaseState> {
  return database.read(async (transaction) => {
    const names = (await tablesOf(transaction)).map(({ name }) => name);
    if (names.includes(UNFINISHED_RESTORE)) return { content: 'unfinished restore' };
    if (names.length === 0) return { content: 'empty' };
    return { content: (await versionOf(transaction)) === 0 ? 'foreign' : 'tables' };
  });
}

/** Until the restore is complete, aggregators do not use the database. */
export async function markUnfinished(database: Database): Promise<void> {
  await database.write((transaction) =>
    transaction.query(`create table if not exists ${UNFINISHED_RESTORE} (since timestamptz not null default now())`),
  );
}

/**
 * Replaces everything in the database by the copy, in one transaction. `rowsOf`: the rows of a table. Rejects when the
 * copy does not have the rows that it should have; then nothing has changed.
 */
export async function restoreDatabase(
  database: Database,
  copy: DatabaseCopy,
  rowsOf: (table: string) => AsyncIterable<string>,
): Promise<void> {
  const migrations = await readMigrations();
  await database.write(async (transaction) => {
    await transaction.query(TEXT_SETTINGS);
    await dropAll(transaction);
    await applyMigrations(transaction, migrations.slice(0, copy.schemaVersion));
    await recreatePartitions(transaction, copy.partitions);
    const existing = new Map((await tablesOf(transaction)).map(({ name, columns }) => [name, columns]));
    for (const table of copy.tables) {
      if (existing.get(table.name)?.join() !== table.columns.join()) {
        throw new Error(`the table ${table.name} of the backup has other columns than version ${copy.schemaVersion}`);
      }
      await restoreTable(transaction, table, rowsOf(table.name));
    }
    for (const { name, lastValue } of copy.sequences) {
      await transaction.query('select setval($1::regclass, $2::bigint)', [quoted(name), lastValue]);
    }
  });
}

async function dropAll(transaction: Transaction): Promise<void> {
  const names = (await tablesOf(transaction)).map(({ name }) => quoted(name));
  if (names.length > 0) await transaction.query(`drop table ${names.join(', ')} cascade`);
}

/** A migration creates the week in which it runs, which may overlap weeks of the copy. */
async function recreatePartitions(transaction: Transaction, partitions: readonly PartitionCopy[]): Promise<void> {
  for (const { name } of await partitionsOf(transaction)) await transaction.query(`drop table ${quoted(name)}`);
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
  for await (const page of pagesOf(texts)) {
    await transaction.query(insert, [page]);
    restored += page.length;
  }
  if (restored !== rows) throw new Error(`the copy of the table ${name} has ${restored} rows instead of ${rows}`);
}

async function* pagesOf(texts: AsyncIterable<string>): AsyncGenerator<readonly string[]> {
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
