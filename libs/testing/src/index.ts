export { eventually } from './eventually.js';
export { startNats, type TestNats } from './nats.js';
export { startPostgres, type TestDatabase } from './database.js';
export { place } from './place.js';
export { quietLogger } from './quiet-logger.js';
