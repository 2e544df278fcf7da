import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Database } from '../store/database/database.js';
import { readMigrations } from '../store/database/migration-files.js';
import { readSchemaVersion } from '../store/database/migration-plan.js';
import { assertNotNewer, UNFINISHED_RESTORE } from '../store/database/migrations.js';
import type { Transaction } from '../store/database/transaction.js';
import type { BackupWriter } from './backup-writer.js';
import { isForeignTable, isOwnTable } from './own-tables.js';
import type { DatabaseCopy, PartitionCopy, SequenceCopy, TableCopy } from './manifest.js';

/** Rows of a page: a call of a long conference has megabytes of records, most rows have less than a kilobyte. */
const FIRST_PAGE_ROWS = 50;
const MAX_PAGE_ROWS = 5_000;
const PAGE_BYTES = 2_097_152;
/** Quick: the default needs three times as long for a tenth less. */
const COMPRESSION = { level: 3 };

/** The settings of a session that the texts of values depend on: the same for copying and restoring. */
export const TEXT_SETTINGS = `set local datestyle = 'ISO, YMD'; set local intervalstyle = 'postgres'; set local timezone = 'UTC';
  set local extra_float_digits = 1; set local bytea_output = 'hex'`;

/** The file of a table in a backup. */
export function tableFileInBackup(table: string): string {
  return `database/${table}.rows.gz`;
}

/**
 * Copies the tables of Ringdown as they are at one moment, while others write. Each row is the text that PostgreSQL has for it, which the
 * same PostgreSQL, another version of it and the embedded database read back exactly.
 */
export async function copyDatabase(database: Database, writer: BackupWriter): Promise<DatabaseCopy> {
  const migrations = await readMigrations();
  return database.read(async (transaction) => {
    await transaction.query(TEXT_SETTINGS);
    const schemaVersion = await readSchemaVersion(transaction);
    const found = await schemaTables(transaction);
    if (found.some(({ name }) => name === UNFINISHED_RESTORE))
      throw new Error('a restore of this database is not finished');
    if (schemaVersion === 0) throw new Error('the database has no tables of Ringdown: no aggregator has used it yet');
    assertNotNewer(schemaVersion, migrations.length);
    const copied = found.filter(({ name }) => isOwnTable(migrations, name));
    // Retention drops weeks: it gives up while they are being read.
    await transaction.query(`lock table ${copied.map(({ name }) => quoted(name)).join(', ')} in access share mode`);
    const partitions = (await tablePartitions(transaction)).filter(({ table }) => isOwnTable(migrations, table));
    const leftOut = found.map(({ name }) => name).filter((name) => isForeignTable(migrations, name));
    const tables: TableCopy[] = [];
    for (const { name, columns } of copied) {
      tables.push({ name, columns, rows: await copyTable(transaction, name, writer) });
    }
    return {
      schemaVersion,
      tables,
      partitions,
      sequences: await sequencesOf(
        transaction,
        tables.map(({ name }) => name),
      ),
      leftOut,
    };
  });
}

async function copyTable(transaction: Transaction, table: string, writer: BackupWriter): Promise<number> {
  let rows = 0;
  async function* lines(): AsyncGenerator<string> {
    for await (const row of tableRows(transaction, table)) {
      rows++;
      // The text of a row may contain line breaks.
      yield `${JSON.stringify(row)}\n`;
    }
  }
  await writer.write(tableFileInBackup(table), (append) =>
    pipeline(Readable.from(lines()), createGzip(COMPRESSION), async (chunks: AsyncIterable<Uint8Array>) => {
      for await (const chunk of chunks) await append(chunk);
    }),
  );
  return rows;
}

async function* tableRows(transaction: Transaction, table: string): AsyncGenerator<string> {
  const text = `select whole_row::text as row from ${quoted(table)} as whole_row`;
  await transaction.query(`declare backup_rows no scroll cursor for ${text}`);
  for (let size = FIRST_PAGE_ROWS; ;) {
    const { rows } = await transaction.query<{ row: string }>(`fetch ${size} from backup_rows`);
    if (rows.length === 0) break;
    yield* rows.map(({ row }) => row);
    const bytes = rows.reduce((sum, { row }) => sum + row.length, 0);
    size = Math.max(1, Math.min(MAX_PAGE_ROWS, Math.floor((rows.length * PAGE_BYTES) / bytes)));
  }
  await transaction.query('close backup_rows');
}

/** All tables of this schema, without the parts of tables. */
export async function schemaTables(transaction: Transaction): Promise<readonly Pick<TableCopy, 'name' | 'columns'>[]> {
  const { rows } = await transaction.query<{ name: string; columns: string[] }>(
    `select relname as name,
       array(select attname::text from pg_attribute where attrelid = t.oid and attnum > 0 and not attisdropped order by attnum) as columns
     from pg_class t
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`,
  );
  return rows;
}

export async function tablePartitions(transaction: Transaction): Promise<readonly PartitionCopy[]> {
  const { rows } = await transaction.query<{ table: string; name: string; bound: string }>(
    `select t.relname as table, part.relname as name, pg_get_expr(part.relpartbound, part.oid) as bound
     from pg_inherits join pg_class t on t.oid = inhparent join pg_class part on part.oid = inhrelid
     where t.relkind = 'p' and t.relnamespace = current_schema()::regnamespace order by part.relname`,
  );
  return rows;
}

/** Those of columns of these tables. */
async function sequencesOf(transaction: Transaction, tables: readonly string[]): Promise<readonly SequenceCopy[]> {
  const { rows } = await transaction.query<{ name: string; lastValue: string }>(
    `select sequencename as name, last_value::text as "lastValue"
     from pg_sequences join pg_class sequence on relnamespace = current_schema()::regnamespace and relname = sequencename
       join pg_depend on classid = 'pg_class'::regclass and objid = sequence.oid and deptype in ('a', 'i')
       join pg_class owner on owner.oid = refobjid
     where schemaname = current_schema() and last_value is not null and owner.relname = any($1) order by sequencename`,
    [tables],
  );
  return rows;
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
