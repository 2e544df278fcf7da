import { startDatabase } from '@ringdown/embedded';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quietLogger } from './quiet-logger.js';

/** In the output folder of the build, so that a clean build removes it. */
const KEPT = fileURLToPath(new URL('../databases', import.meta.url));
/** The folder of the data of an embedded database, within its folder. */
const FILES = 'pglite';

/**
 * Copies the files of an empty database to the folder where an embedded one will be started. PGlite needs five seconds
 * of CPU time to create them, and they are always the same: they are created once, and copied for every test file.
 * Existing files are kept.
 */
export async function seedDatabase(folder: string): Promise<void> {
  const files = join(folder, FILES);
  if (existsSync(files)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  cpSync(join(await template(), FILES), files, { recursive: true, preserveTimestamps: true });
}

/** The folder of a database that was created and stopped regularly. */
async function template(): Promise<string> {
  const made = join(KEPT, versionOfPglite());
  if (existsSync(made)) return made;
  mkdirSync(KEPT, { recursive: true });
  const making = mkdtempSync(join(KEPT, 'making-'));
  const database = await startDatabase({ folder: making, logger: quietLogger() });
  await database.stop();
  try {
    // Renamed when complete: other processes may create it at the same time, and this one may be killed at any moment.
    renameSync(making, made);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(made)) throw error;
  }
  return made;
}

/** Another version may use another file format. */
function versionOfPglite(): string {
  const { resolve } = createRequire(import.meta.resolve('@ringdown/embedded'));
  const manifest = join(dirname(resolve('@electric-sql/pglite')), '..', 'package.json');
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'));
  return version;
}
