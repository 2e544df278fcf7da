import { nodeErrorCode } from '@ringdown/errors';
import { readFileSync } from 'node:fs';
import { endProcesses } from './end-processes.js';
import { isStartedWith } from './running-processes.js';

/** Identifies a child process after the process that started it is gone. */
export interface ChildMark {
  readonly name: string;
  /** One of its arguments, which distinguishes it from others of the same program: its own file. */
  readonly ownFile: string;
  /** Contains the process id, so that a process left behind by a crash can be ended. */
  readonly pidFile: string;
  /** Process ids of what may outlive that one. */
  readonly others?: () => readonly number[];
}

/** No such file, or no such process (also while it is being read). */
const NOTHING_THERE: readonly (string | undefined)[] = ['ENOENT', 'ESRCH'];

/**
 * Ends a child that a crash has left behind, and waits until it has ended: only then can its files be used or removed. Returns its process
 * id, or undefined if there is none. Only exactly this child is ended: process ids are reused, and other programs run Node or a
 * nats-server too. Throws if it is not known: two servers must not run in one folder.
 */
export async function endLeftover({ pidFile, ownFile, others = () => [] }: ChildMark): Promise<number | undefined> {
  const [pid] = await endProcesses(() => [...processOf(pidFile, ownFile), ...others()]);
  return pid;
}

function processOf(pidFile: string, ownFile: string): readonly number[] {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8'));
    return isStartedWith(pid, ownFile) ? [pid] : [];
  } catch (error) {
    if (NOTHING_THERE.includes(nodeErrorCode(error))) return [];
    throw error;
  }
}
