export { startDatabase, type DatabaseOptions, type EmbeddedDatabase } from './database.js';
export { freePort, listening } from './free-port.js';
export { findNatsServer, startNatsServer, type EmbeddedNats, type NatsOptions } from './nats-server.js';
