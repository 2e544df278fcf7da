export { BusCopy } from './bus-copy.js';
export { eventually } from './eventually.js';
export { Dice } from './fuzz/dice.js';
export { fuzzReaders, type ReaderTimes } from './fuzz/fuzz-readers.js';
export { fuzzedReader, type FuzzedReader } from './fuzz/fuzzed-reader.js';
export { pumpLength, pumpString } from './fuzz/pumps.js';
export { findProgram } from './find-program.js';
export { startNats, type TestNats } from './nats.js';
export { NatsCluster, type ServerSeat } from './nats-cluster.js';
export { asDirectoryAdmin, directorySettingsFor, setDirectoryPassword } from './directory-access.js';
export { DIRECTORY_SUFFIX, ldifLines, PEOPLE_DN, staff, type LdifEntry } from './ldif.js';
export { startPostgres, type TestDatabase } from './database.js';
export { seedDatabase } from './postgres-template.js';
export { Pgbouncer, type PoolMode } from './pgbouncer.js';
export { ProxyProgram } from './proxy-program.js';
export { PostgresServer } from './postgres-server.js';
export { place } from './place.js';
export { programEnvironment } from './program-environment.js';
export { programFile } from './program-file.js';
export {
  BUS_USER_NAMES,
  busUsers,
  findNatsServer,
  freePort,
  keyVariable,
  listening,
  makeBusKeys,
  natsConfig,
  permissionsOf,
  signNonce,
  streamAccounts,
  type BusKeys,
  type BusUserName,
} from '@ringdown/embedded';
export {
  CHECKOUT,
  commandsOf,
  readGuide,
  shell,
  tableOf,
  withOwn,
  type Shell,
  type ShellOptions,
} from './guide-shell.js';
export { UdpPorts } from './udp-ports.js';
export { SmallDisk } from './small-disk.js';
export { loggedLines, type LoggedLines } from './logged-lines.js';
export { quietLogger } from './quiet-logger.js';
export { LoadedModules, packagesOf } from './loaded-modules.js';
export { SERVICE_DN, SERVICE_PASSWORD, startSlapd, type SlapdOptions, type TestDirectory } from './slapd.js';
export { exifBlock, jpegWith, pngWith, SMALL_JPEG, SMALL_PNG } from './small-photos.js';
export { clockThatIsWrong, clockThatJumps } from './wrong-clock.js';
export { startOpenIdServer, type OpenIdServer, type OpenIdServerOptions } from './open-id-server.js';
export { keptByWorker } from './kept-by-worker.js';
export { Started } from './started.js';
export { ServiceProcess, type LogLine, type ServiceProcessOptions } from './service-process.js';
export { FeedLoad, type FeedLoadOptions } from './feed-load.js';
export { differenceInTime, shortestMs, type TimesToCompare } from './timing.js';
export {
  freePorts,
  launch,
  logged,
  running,
  SystemClient,
  type Answer,
  type FirstUser,
  type LaunchedSystem,
  type Ports,
  type RequestOptions,
} from './launched-system.js';
export { usedMemory } from './used-memory.js';
