import { nodeErrorCode } from '@ringdown/errors';
import { existsSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { endProcesses } from '../end-processes.js';
import { hasProc, isStartedWith, listProcesses, namesArgument } from '../running-processes.js';

/** The process is gone, or belongs to another user. */
const NOT_OURS: readonly (string | undefined)[] = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'];

/**
 * Ends all PostgreSQL processes that work in a data folder, and waits until they have ended: the next server needs their files and memory.
 * Each of them is the leader of its own session, and those of a server that was killed may still run a query. Returns their process ids.
 */
export function endPostgresIn(data: string): Promise<readonly number[]> {
  return endProcesses(() => postgresIn(data));
}

/** Ends an initdb that a killed run has left, and resolves when it no longer writes to `making`. */
export async function endInitdbIn(making: string): Promise<void> {
  await endProcesses(() => initdbIn(making));
}

/** Process ids of a database and of the initdb that makes its files. */
export function databaseProcesses(data: string, making: string): readonly number[] {
  return [...postgresIn(data), ...initdbIn(making)];
}

/**
 * Removes what a killed server has left: its number in these files may now be that of another process, for which the next
 * one would wait. Only for folders in which none runs.
 */
export function removeStaleLocks(data: string, socket: string): void {
  for (const file of [join(data, 'postmaster.pid'), socket, `${socket}.lock`])
    rmSync(file, { force: true, recursive: true });
}

function postgresIn(data: string): readonly number[] {
  if (!existsSync(data)) return [];
  if (hasProc()) {
    const folder = realpathSync(data);
    return processIds().filter((pid) => worksIn(pid, folder));
  }
  const listed = listProcesses();
  const servers = listed.filter((each) => namesArgument(each, `-D ${data}`)).map(({ pid }) => pid);
  // Those of a server that is gone end by themselves.
  const theirs = listed.filter(({ parent }) => servers.includes(parent)).map(({ pid }) => pid);
  return [...servers, ...theirs];
}

/** It runs PostgreSQL in the folder that it fills. */
function initdbIn(making: string): readonly number[] {
  if (!existsSync(making)) return [];
  const initdbs = hasProc()
    ? processIds().filter((pid) => isRunningProgram(pid, 'initdb', making))
    : listProcesses()
        .filter((each) => namesArgument(each, making))
        .map(({ pid }) => pid);
  return [...postgresIn(making), ...initdbs];
}

function processIds(): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function worksIn(pid: number, data: string): boolean {
  return unlessForeign(() => programOf(pid) === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === data);
}

function isRunningProgram(pid: number, program: string, argument: string): boolean {
  return unlessForeign(() => programOf(pid) === program && isStartedWith(pid, argument));
}

function programOf(pid: number): string {
  // The program may have been replaced since: "… (deleted)".
  return basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ''));
}

function unlessForeign(check: () => boolean): boolean {
  try {
    return check();
  } catch (error) {
    if (NOT_OURS.includes(nodeErrorCode(error))) return false;
    throw error;
  }
}
