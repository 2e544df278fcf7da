export {
  BUS_USER_NAMES,
  busUsers,
  busPermissions,
  streamAccounts,
  type BusUser,
  type BusUserName,
} from '../bus-users.js';
export { keyVariable } from '../users-config.js';
export { ALL_POWERFUL, ALL_POWERFUL_PEOPLE, makeBusKeys, natsConfig, natsUrl, type BusKeys } from '../nats-config.js';
export { signNonce, type NatsKey } from '@ringdown/nats-keys';
export { findNatsServer } from '../nats-program.js';
export {
  embeddedNatsUrl,
  natsServerMark,
  startNatsServer,
  type EmbeddedNats,
  type NatsOptions,
} from '../nats-server.js';
