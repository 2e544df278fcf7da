import { existsSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { endProcesses } from '../end-processes.js';
import { hasProc, listProcesses, namesArgument, processesOf, processIds, runs } from '../running-processes.js';

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
    return processIds().filter((pid) => runs(pid, 'postgres', folder));
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
  return [...postgresIn(making), ...processesOf('initdb', making)];
}
