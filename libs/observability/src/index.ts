export { createLogger, LOGGER, logSettings, nestLogger, type Logger } from './logger.js';
export { OutageLog, type OutageLogOptions } from './outage-log.js';
export { Metrics } from './metrics.js';
export { RateLimitedLog } from './rate-limited-log.js';
export { Health, type HealthCheck, type HealthReport } from './health.js';
export { innerServerSettings, startInnerServer } from './inner-server.js';
export { listenReason } from './listen-reason.js';
