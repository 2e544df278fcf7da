export { freePort, listening } from '@ringdown/embedded';
export {
  BUS_USER_NAMES,
  busUsers,
  findNatsServer,
  keyVariable,
  makeBusKeys,
  natsConfig,
  busPermissions,
  signNonce,
  streamAccounts,
  type BusKeys,
  type BusUserName,
} from '@ringdown/embedded/bus';
