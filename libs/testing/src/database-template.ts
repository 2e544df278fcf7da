import { startDatabase } from '@ringdown/embedded';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { quietLogger } from './quiet-logger.js';

/** What a new database contains: nothing, or the tables of the aggregator. */
export type Schema = 'none' | 'current';

/** In the output folder of the build, so that a clean build removes it. */
const KEPT = fileURLToPath(new URL('../databases', import.meta.url));
/** The folder of the data of an embedded database, within its folder. */
const FILES = 'pglite';
const AGGREGATOR = fileURLToPath(new URL('../../../../apps/aggregator', import.meta.url));

/**
 * Copies the files of a database without rows to the folder where an embedded one will be started. PGlite needs five
 * seconds of CPU time to create them, and two more for all migrations, and they are always the same: they are created
 * once, and copied for every test file. Existing files are kept.
 */
export async function seedDatabase(folder: string, schema: Schema = 'current'): Promise<void> {
  const files = join(folder, FILES);
  if (existsSync(files)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  cpSync(join(await template(schema), FILES), files, { recursive: true, preserveTimestamps: true });
}

/** The folder of a database that was created and stopped regularly. */
async function template(schema: Schema): Promise<string> {
  const made = join(KEPT, schema === 'none' ? versionOfPglite() : `${versionOfPglite()}-${digestOfMigrations()}`);
  if (existsSync(made)) return made;
  mkdirSync(KEPT, { recursive: true });
  const making = mkdtempSync(join(KEPT, 'making-'));
  if (schema === 'current') await seedDatabase(making, 'none');
  const database = await startDatabase({ folder: making, logger: quietLogger() });
  try {
    if (schema === 'current') await migrate(database.url);
  } finally {
    await database.stop();
  }
  try {
    // Renamed when complete: other processes may create it at the same time, and this one may be killed at any moment.
    renameSync(making, made);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(made)) throw error;
  }
  return made;
}

/** With the program for it, as an operator would. */
async function migrate(url: string): Promise<void> {
  const env = { ...process.env, DATABASE_URL: url };
  await promisify(execFile)(process.execPath, [join(AGGREGATOR, 'dist/src/migrate/main.js')], { env });
}

/** Another version may use another file format. */
function versionOfPglite(): string {
  const { resolve } = createRequire(import.meta.resolve('@ringdown/embedded'));
  const manifest = join(dirname(resolve('@electric-sql/pglite')), '..', 'package.json');
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'));
  return version;
}

function digestOfMigrations(): string {
  const folder = join(AGGREGATOR, 'migrations');
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}
