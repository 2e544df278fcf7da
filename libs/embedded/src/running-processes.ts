import { errorReason, nodeErrorCode } from '@ringdown/errors';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

/** The process is gone, or belongs to another user. */
const NOT_OURS: readonly (string | undefined)[] = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'];

/** As `ps` names it, on systems without `/proc` (macOS). */
export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  /** The program and its arguments, with spaces between them. */
  readonly command: string;
}

/** Whether the system tells of its processes in files. */
export function hasProc(): boolean {
  return existsSync('/proc/self');
}

/** Whether a process runs that was started with this argument. Throws if that cannot be known. */
export function isStartedWith(pid: number, argument: string): boolean {
  if (!hasProc()) return listProcesses().some((each) => each.pid === pid && namesArgument(each, argument));
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(argument);
  } catch (error) {
    if (nodeErrorCode(error) === 'ENOENT' || nodeErrorCode(error) === 'ESRCH') return false;
    throw error;
  }
}

export function namesArgument({ command }: ListedProcess, argument: string): boolean {
  return `${command} `.includes(` ${argument} `);
}

/** Process ids of a program that was started with this argument. */
export function processesOf(program: string, argument: string): readonly number[] {
  if (hasProc()) return processIds().filter((pid) => runs(pid, program) && isStartedWith(pid, argument));
  const listed = listProcesses().filter((each) => each.command.includes(program) && namesArgument(each, argument));
  return listed.map(({ pid }) => pid);
}

/** Of all processes, where the system tells of them in files. */
export function processIds(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** Whether this program runs in a process, and in this folder, if one is given. */
export function runs(pid: number, program: string, folder?: string): boolean {
  try {
    // The program may have been replaced since: "… (deleted)".
    const running = basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ''));
    return running === program && (folder === undefined || readlinkSync(`/proc/${pid}/cwd`) === folder);
  } catch (error) {
    if (NOT_OURS.includes(nodeErrorCode(error))) return false;
    throw error;
  }
}

/** All processes, by `ps` of POSIX. */
export function listProcesses(): readonly ListedProcess[] {
  const { stdout, error, status } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=', '-o', 'ppid=', '-o', 'args='], {
    encoding: 'utf8',
    maxBuffer: 67_108_864,
  });
  if (error !== undefined || status !== 0)
    throw new Error(
      `what an earlier run may have left behind cannot be seen without ps: ${error === undefined ? `exit code ${status}` : errorReason(error)}`,
    );
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [pid, afterPid] = numberAtStart(line);
      const [parent, command] = numberAtStart(afterPid);
      return { pid, parent, command: command.trim() };
    });
}

function numberAtStart(line: string): readonly [number, string] {
  const text = line.trimStart();
  const end = text.indexOf(' ');
  return [Number(text.slice(0, end)), text.slice(end)];
}
