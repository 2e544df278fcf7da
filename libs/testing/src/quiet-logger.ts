import { createLogger, type Logger } from '@ringdown/observability';

/** Silent, unless `LOG_LEVEL` is set to examine a test. */
export function quietLogger(): Logger {
  const level = process.env['LOG_LEVEL'] === 'debug' ? 'debug' : 'silent';
  return createLogger('test', { logLevel: level, logFormat: 'json' });
}
