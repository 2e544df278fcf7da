import { startDatabase } from '@ringdown/embedded';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { quietLogger } from './quiet-logger.js';

/** Beside the compiled program, so that it goes when that is built from nothing. */
const KEPT = fileURLToPath(new URL('../databases', import.meta.url));
/** What an embedded database keeps, within its folder. */
const FILES = 'pglite';

/**
 * Puts the files of an empty database where an embedded one will be started. PGlite takes five seconds of a processor
 * to make them, and they are always the same: they are made once, and copied for every test file. Where there are some
 * already, they stay.
 */
export async function seedDatabase(folder: string): Promise<void> {
  const files = join(folder, FILES);
  if (existsSync(files)) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  cpSync(join(await template(), FILES), files, { recursive: true, preserveTimestamps: true });
}

/** The folder of a database that was made and ended properly. */
async function template(): Promise<string> {
  const made = join(KEPT, versionOfPglite());
  if (existsSync(made)) return made;
  mkdirSync(KEPT, { recursive: true });
  const making = mkdtempSync(join(KEPT, 'making-'));
  const database = await startDatabase({ folder: making, logger: quietLogger() });
  await database.stop();
  try {
    // It is there as a whole or not at all, whoever else makes one and whenever this is ended.
    renameSync(making, made);
  } catch (error) {
    rmSync(making, { recursive: true, force: true });
    if (!existsSync(made)) throw error;
  }
  return made;
}

/** Another version may keep its files in another form. */
function versionOfPglite(): string {
  const { resolve } = createRequire(import.meta.resolve('@ringdown/embedded'));
  const manifest = join(dirname(resolve('@electric-sql/pglite')), '..', 'package.json');
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'));
  return version;
}
