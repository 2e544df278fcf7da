import { readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

/** One step that updates the schema of a database. Its version is recorded there, so that it is applied once. */
export interface Migration {
  readonly version: number;
  readonly sql: string;
}

/** Next to `src`, and copied into the image as it is: compiled, this file is in `dist/src/store`. */
const FOLDER = new URL('../../../../migrations/', import.meta.url);
const FILE_NAME = /^(\d{4})-[a-z\d-]+\.sql$/;

/**
 * The numbered files of the folder, from 0001 without a gap. New files may be added, applied ones are never changed: a
 * database that has a version does not apply its file again. Rejects when a number is missing or used twice, or when
 * the folder contains another file.
 */
export async function readMigrations(folder: URL = FOLDER): Promise<readonly Migration[]> {
  const names = (await readdir(folder)).sort();
  return Promise.all(
    names.map(async (name, index) => {
      const version = index + 1;
      if (Number(FILE_NAME.exec(name)?.[1]) !== version) {
        throw new Error(
          `the migration ${String(version).padStart(4, '0')}-….sql is expected, but the next file is ${name}`,
        );
      }
      return { version, sql: await readFile(new URL(name, folder), 'utf8') };
    }),
  );
}

/** As many as {@link readMigrations} reads, without reading them. */
export function countMigrations(folder: URL = FOLDER): number {
  return readdirSync(folder).length;
}
