export { eventually } from './eventually.js';
export { findProgram } from './find-program.js';
export { startNats, type TestNats } from './nats.js';
export { DIRECTORY_SUFFIX, ldifLines, PEOPLE_DN, staff, type LdifEntry } from './ldif.js';
export { startPostgres, type TestDatabase } from './database.js';
export { seedDatabase } from './database-template.js';
export { place } from './place.js';
export { freePort } from '@ringdown/embedded';
export { quietLogger } from './quiet-logger.js';
export {
  ADMIN_DN,
  ADMIN_PASSWORD,
  SERVICE_DN,
  SERVICE_PASSWORD,
  startSlapd,
  type SlapdOptions,
  type TestDirectory,
} from './slapd.js';
export { Started } from './started.js';
export { ServiceProcess, type LogLine, type ServiceProcessOptions } from './service-process.js';
export { FeedLoad, type FeedLoadOptions } from './feed-load.js';
export { differenceInTime, shortestMs, type TimesToCompare } from './timing.js';
