export {
  databaseMark,
  embeddedDatabaseUrl,
  refuseOldDatabase,
  startDatabase,
  type DatabaseOptions,
  type EmbeddedDatabase,
} from './database.js';
export type { ChildState } from './child.js';
export { installDebianProgram, type DebianProgram } from './debian-program.js';
export { refuseForeignLinks } from './foreign-links.js';
export { freePort, listening } from './free-port.js';
export {
  BUS_USER_NAMES,
  busUsers,
  permissionsOf,
  streamAccounts,
  type BusUser,
  type BusUserName,
} from './bus-users.js';
export { keyVariable } from './users-config.js';
export { endLeftover } from './leftover.js';
export { ALL_POWERFUL, ALL_POWERFUL_PEOPLE, makeBusKeys, natsConfig, natsUrl, type BusKeys } from './nats-config.js';
export { signNonce, type NatsKey } from './nkey.js';
export { ServerAddress } from './server-address.js';
export { findNatsServer } from './nats-program.js';
export {
  embeddedNatsUrl,
  natsServerMark,
  startNatsServer,
  type EmbeddedNats,
  type NatsOptions,
} from './nats-server.js';
export { findPostgresPackage } from './postgres/postgres-package.js';
export {
  DATABASE_NAME,
  startPostgresServer,
  type PostgresOptions,
  type PostgresProcess,
} from './postgres/postgres-server.js';
