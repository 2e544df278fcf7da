import { readFileSync } from 'node:fs';

/** By what a child process is known after the process that has started it is gone. */
export interface ChildMark {
  readonly name: string;
  /** One of its arguments, by which it is told from others of the same program: its own file. */
  readonly ownFile: string;
  /** Remembers the process, so that one that was left behind by a crash can be ended. */
  readonly pidFile: string;
}

/**
 * Ends a child that a crash has left behind; returns its process id, or undefined when there is none. Only the very same
 * child is ended: process ids are used again, and others run Node or a nats-server too.
 */
export function endLeftover({ pidFile, ownFile }: ChildMark): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8'));
    const commandLine = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    if (!commandLine.split('\0').includes(ownFile)) return undefined;
    process.kill(pid, 'SIGKILL');
    return pid;
  } catch {
    // No such file or process: nothing was left behind.
    return undefined;
  }
}
