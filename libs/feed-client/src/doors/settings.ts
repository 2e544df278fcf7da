export { collectorAccess, collectorTls, readAuthorities } from '../collector-access.js';
export { senderSettings } from '../settings.js';
export { traceSettings } from '../trace-settings.js';
