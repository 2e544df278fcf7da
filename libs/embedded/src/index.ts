export { startDatabase, type DatabaseOptions, type EmbeddedDatabase } from './database.js';
export { freePort, listening } from './free-port.js';
export {
  embeddedNatsUrl,
  findNatsServer,
  startNatsServer,
  type EmbeddedNats,
  type NatsOptions,
} from './nats-server.js';
