import { countMigrations } from '../store/database/migration-files.js';

/** The version of the database that this program makes: one for each of its migrations. */
export function ownSchemaVersion(): number {
  return countMigrations();
}
