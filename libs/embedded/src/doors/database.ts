export {
  databaseMark,
  embeddedDatabaseUrl,
  refuseOldDatabase,
  startDatabase,
  type DatabaseOptions,
  type EmbeddedDatabase,
} from '../database.js';
export { findPostgresPackage } from '../postgres/postgres-package.js';
export {
  DATABASE_NAME,
  startPostgresServer,
  type PostgresOptions,
  type PostgresProcess,
} from '../postgres/postgres-server.js';
