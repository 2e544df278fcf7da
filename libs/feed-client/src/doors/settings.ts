export { collectorAccess, collectorTls, readAuthorities, readCertificates } from '../collector-access.js';
export { senderSettings } from '../settings.js';
export { traceSettings } from '../trace-settings.js';
