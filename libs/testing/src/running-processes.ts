import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** As Linux lists it (proc(5)). */
export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  /** Its arguments, each with the character NUL behind it; processes of a database change theirs. */
  readonly command: string;
  /** When it was started, in ticks of the system: its number may be used again (proc_pid_stat(5)). */
  readonly since: string | undefined;
  /** Undefined if it is of another user, which only root sees. */
  readonly workingDirectory: string | undefined;
}

/** All of this machine. */
export function runningProcesses(): readonly RunningProcess[] {
  return readdirSync('/proc').flatMap((pid) => (/^\d+$/.test(pid) ? (runningProcess(pid) ?? []) : []));
}

/** Those whose command line names the folder, or that work in it, as those of the database do. */
export function processesIn(folder: string): readonly RunningProcess[] {
  return runningProcesses().filter(
    ({ command, workingDirectory }) => command.includes(folder) || workingDirectory?.startsWith(folder) === true,
  );
}

function runningProcess(pid: string): RunningProcess | undefined {
  const stat = unlessEnded(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const command = unlessEnded(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  if (stat === undefined || command === undefined) return undefined;
  // The name in front of these fields may contain blanks and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const workingDirectory = unlessEnded(() => readlinkSync(`/proc/${pid}/cwd`));
  return { pid: Number(pid), parent: Number(fields[1]), command, since: fields[19], workingDirectory };
}

function unlessEnded(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
