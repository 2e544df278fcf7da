import { startDatabase } from '@ringdown/embedded';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { digestOfMigrations, keptTemplate, migrate } from './kept-template.js';
import { quietLogger } from './quiet-logger.js';

/** What a new database contains: nothing, or the tables of the aggregator. */
export type Schema = 'none' | 'current';

/** The folder of the data of an embedded database, within its folder. */
const FILES = 'pglite';

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
function template(schema: Schema): Promise<string> {
  const name = schema === 'none' ? versionOfPglite() : `${versionOfPglite()}-${digestOfMigrations()}`;
  return keptTemplate(name, async (folder) => {
    if (schema === 'current') await seedDatabase(folder, 'none');
    const database = await startDatabase({ folder, logger: quietLogger() });
    try {
      if (schema === 'current') await migrate(database.url);
    } finally {
      await database.stop();
    }
  });
}

/** Another version may use another file format. */
function versionOfPglite(): string {
  const { resolve } = createRequire(import.meta.resolve('@ringdown/embedded'));
  const manifest = join(dirname(resolve('@electric-sql/pglite')), '..', 'package.json');
  const { version }: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'));
  return version;
}
