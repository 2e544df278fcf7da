import type { Migration } from '../store/database/migration-files.js';
import { UNFINISHED_RESTORE } from '../store/database/migrations.js';
import type { DatabaseCopy } from './manifest.js';

/** Tables that are not in a backup, because a restore creates them. */
const OF_THE_SCHEMA = new Set(['schema_versions', UNFINISHED_RESTORE]);
const CREATED = /^create table (\w+) \(/gm;

/** Whether a table has data of Ringdown: a migration creates it. */
export function isOwnTable(migrations: readonly Migration[], name: string): boolean {
  return migrations.some(({ sql }) => [...sql.matchAll(CREATED)].some(([, table]) => table === name));
}

/** Whether a table belongs to another program. */
export function isForeignTable(migrations: readonly Migration[], name: string): boolean {
  return !OF_THE_SCHEMA.has(name) && !isOwnTable(migrations, name);
}

/** A copy without what belongs to another program: backups of earlier versions have it. */
export function ownContent(copy: DatabaseCopy, migrations: readonly Migration[]): DatabaseCopy {
  const isOwn = (name: string): boolean => isOwnTable(migrations, name);
  return {
    ...copy,
    tables: copy.tables.filter(({ name }) => isOwn(name)),
    partitions: copy.partitions.filter(({ table }) => isOwn(table)),
    // Their names begin with that of their table.
    sequences: copy.sequences.filter(({ name }) =>
      copy.tables.some((table) => isOwn(table.name) && name.startsWith(`${table.name}_`)),
    ),
  };
}
