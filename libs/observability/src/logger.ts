import type { LoggerService } from '@nestjs/common';
import { setting, type SettingValues } from '@ringdown/settings';
import pino from 'pino';
import { prettyFactory } from 'pino-pretty';
import { UnblockedOutput } from './unblocked-output.js';

export type Logger = pino.Logger;

/** Injects the {@link Logger} of the process. */
export const LOGGER = Symbol('logger');

export const logSettings = {
  logLevel: setting.choice('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], {
    task: 'operation',
    default: 'info',
    about: 'Least severe log line that is written',
  }),
  logFormat: setting.choice('LOG_FORMAT', ['json', 'pretty'], {
    task: 'operation',
    default: 'json',
    about: 'Log format: JSON for machines, pretty for people',
  }),
};

/** Secrets that would give access are removed from every log line. */
const secretPaths = ['authorization', 'password', 'token', 'access_token', 'cookie'].flatMap((name) => [
  name,
  `*.${name}`,
  `req.headers.${name}`,
]);

/** Logs go to standard error: standard output is for the results of a program. */
export function createLogger(name: string, settings: SettingValues<typeof logSettings>): Logger {
  const options: pino.LoggerOptions = {
    name,
    level: settings.logLevel,
    redact: { paths: secretPaths, censor: '[hidden]' },
    base: { service: name },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  if (settings.logFormat === 'json') return pino(options, pino.destination({ fd: 2, sync: false }));
  // In this thread: a transport of pino is a thread for each logger, which takes a sixth of the time of a start.
  const pretty = prettyFactory({ ignore: 'pid,hostname,name' });
  const to = (output ??= new UnblockedOutput());
  return pino(options, { write: (line) => to.write(pretty(line)) });
}

/** One for all loggers of the process. No service waits while the terminal or the pipe of `npm start` is not read. */
let output: UnblockedOutput | undefined;

/** Nest's own log lines through our logger; its start-up lines are of no use to operators and logged as debug. */
export function nestLogger(logger: Logger): LoggerService {
  const line =
    (level: 'debug' | 'warn' | 'error' | 'fatal' | 'trace') =>
    (message: unknown, ...rest: unknown[]): void => {
      const context = rest.findLast((part) => typeof part === 'string');
      // The error of a failed start reaches the caller, which reports it in one line.
      if (context === 'ExceptionHandler') return;
      logger[level]({ context, detail: message instanceof Error ? message : undefined }, String(message));
    };
  return {
    log: line('debug'),
    debug: line('debug'),
    verbose: line('trace'),
    warn: line('warn'),
    error: line('error'),
    fatal: line('fatal'),
  };
}
