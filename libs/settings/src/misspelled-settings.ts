import type { Environment } from './read-settings.js';
import { isNearMiss } from './nearest-name.js';

/** Shorter names are too similar to names of other programs. */
const SHORTEST = 4;

/** What systemd sets for a service, whatever its unit says of settings (systemd.exec(5), "Environment Variables Set or Propagated by the Service Manager"). */
const OF_SYSTEMD = new Set([
  'CACHE_DIRECTORY',
  'CONFIGURATION_DIRECTORY',
  'CREDENTIALS_DIRECTORY',
  'FDSTORE',
  'INVOCATION_ID',
  'JOURNAL_STREAM',
  'LISTEN_FDNAMES',
  'LISTEN_FDS',
  'LISTEN_PID',
  'LOGS_DIRECTORY',
  'MAINPID',
  'MANAGERPID',
  'MEMORY_PRESSURE_WATCH',
  'MEMORY_PRESSURE_WRITE',
  'NOTIFY_SOCKET',
  'PIDFILE',
  'RUNTIME_DIRECTORY',
  'STATE_DIRECTORY',
  'SYSTEMD_EXEC_PID',
  'WATCHDOG_PID',
  'WATCHDOG_USEC',
]);

/**
 * Names in the environment that differ from a setting by one or two letters.
 * An environment contains many names of other programs, so only very similar names are reported as mistakes.
 */
export function misspelledSettings(known: Iterable<string>, env: Environment): string[] {
  const names = [...known].filter((name) => name.length >= SHORTEST);
  return Object.keys(env)
    .filter((name) => name.length >= SHORTEST && !OF_SYSTEMD.has(name) && !names.includes(name))
    .flatMap((name) => {
      const meant = names.find((candidate) => isNearMiss(name, candidate));
      return meant === undefined ? [] : [`${name} is not a setting; did you mean ${meant}?`];
    });
}
