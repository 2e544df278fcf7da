import type { Logger } from '@ringdown/observability';
import { Writable } from 'node:stream';
import pino from 'pino';
import type { LogLine } from './service-process.js';

/** The lines logged to `logger` with level info and above. */
export interface LoggedLines {
  readonly logger: Logger;
  readonly lines: readonly LogLine[];
}

export function loggedLines(): LoggedLines {
  const lines: LogLine[] = [];
  const write = (line: string, _encoding: string, done: () => void): void => {
    lines.push(JSON.parse(line));
    done();
  };
  return { logger: pino({ level: 'info' }, new Writable({ decodeStrings: false, write })), lines };
}
