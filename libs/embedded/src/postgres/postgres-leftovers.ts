import { nodeErrorCode } from '@ringdown/errors';
import { existsSync, readdirSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasProc, isStartedWith, listProcesses, namesArgument } from '../running-processes.js';

/** A killed process needs some time to end; one that waits for a disk may need longer than a start can wait. */
const ENDED_MS = 20;
const MOST_MS = 10_000;
/** The process is gone, or belongs to another user. */
const NOT_OURS: readonly (string | undefined)[] = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'];

/**
 * Kills all PostgreSQL processes that work in a data folder. Each of them is the leader of its own session, and those of a
 * server that was killed may still run a query. Returns their process ids.
 */
export function killPostgresIn(data: string): readonly number[] {
  const pids = postgresIn(data);
  for (const pid of pids) kill(pid);
  return pids;
}

/** The same, and waits until they have ended: the next server needs their files and memory. */
export async function endPostgresIn(data: string): Promise<readonly number[]> {
  if (!existsSync(data)) return [];
  return endAll(() => postgresIn(data));
}

/** Ends an initdb that a killed run has left, and resolves when it no longer writes to `making`. */
export async function endInitdbIn(making: string): Promise<void> {
  if (!existsSync(making)) return;
  await endAll(() => [...postgresIn(making), ...initdbsFor(making)]);
}

/** Kills processes as long as there are any, but not for ever. Returns their process ids. */
async function endAll(running: () => readonly number[]): Promise<readonly number[]> {
  const ended = new Set<number>();
  const until = performance.now() + MOST_MS;
  for (let pids = running(); pids.length > 0 && performance.now() < until; pids = running()) {
    for (const pid of pids) kill(pid);
    for (const pid of pids) ended.add(pid);
    await sleep(ENDED_MS);
  }
  return [...ended];
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

function initdbsFor(making: string): readonly number[] {
  if (hasProc()) return processIds().filter((pid) => isRunningProgram(pid, 'initdb', making));
  return listProcesses()
    .filter((each) => namesArgument(each, making))
    .map(({ pid }) => pid);
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

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (nodeErrorCode(error) !== 'ESRCH') throw error;
  }
}
