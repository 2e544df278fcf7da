import { nodeErrorCode } from '@ringdown/errors';
import { existsSync, readFileSync } from 'node:fs';
import { killPostgresIn } from './postgres/postgres-leftovers.js';
import { isStartedWith } from './running-processes.js';

/** Identifies a child process after the process that started it is gone. */
export interface ChildMark {
  readonly name: string;
  /** One of its arguments, which distinguishes it from others of the same program: its own file. */
  readonly ownFile: string;
  /** Contains the process id, so that a process left behind by a crash can be ended. */
  readonly pidFile: string;
  /** Of a database: a folder in which it has processes that may outlive the one of that id. */
  readonly data?: string;
}

/** No such file, or no such process (also while it is being read). */
const NOTHING_THERE: readonly (string | undefined)[] = ['ENOENT', 'ESRCH'];

/**
 * Ends a child that a crash has left behind; returns its process id, or undefined if there is none. Only exactly this
 * child is ended: process ids are reused, and other programs run Node or a nats-server too. Throws if it is not known: two servers must
 * not run in one folder.
 */
export function endLeftover({ pidFile, ownFile, data }: ChildMark): number | undefined {
  const ended = endProcess(pidFile, ownFile);
  const others = data === undefined || !existsSync(data) ? [] : killPostgresIn(data);
  return ended ?? others[0];
}

function endProcess(pidFile: string, ownFile: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8'));
    if (!isStartedWith(pid, ownFile)) return undefined;
    process.kill(pid, 'SIGKILL');
    return pid;
  } catch (error) {
    if (NOTHING_THERE.includes(nodeErrorCode(error))) return undefined;
    throw error;
  }
}
