import { codeOf } from '@ringdown/errors';
import { existsSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A killed process needs some time to end. */
const ENDED_MS = 20;
/** The process is gone, or belongs to another user. */
const NOT_OURS: readonly (string | undefined)[] = ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'];

/**
 * Ends all PostgreSQL processes that work in a data folder. Each of them is the leader of its own session, and those of a
 * server that was killed may still run a query. Returns their process ids; on systems without `/proc` none.
 */
export function endPostgresIn(data: string): readonly number[] {
  const folder = realpathSync(data);
  const pids = processIds().filter((pid) => worksIn(pid, folder));
  for (const pid of pids) kill(pid);
  return pids;
}

/** Ends an initdb that a killed run has left, and resolves when it no longer writes to `making`. */
export async function endInitdbIn(making: string): Promise<void> {
  if (!existsSync(making)) return;
  const folder = realpathSync(making);
  const working = (): readonly number[] =>
    processIds().filter((pid) => worksIn(pid, folder) || isOf(pid, 'initdb', making));
  for (let pids = working(); pids.length > 0; pids = working()) {
    for (const pid of pids) kill(pid);
    await sleep(ENDED_MS);
  }
}

/**
 * Removes what a killed server has left: its number in these files may now be that of another process, for which the next
 * one would wait. Only for folders in which none runs, which systems without `/proc` do not tell.
 */
export function removeStaleLocks(data: string, socket: string): void {
  if (!existsSync('/proc/self')) return;
  for (const file of [join(data, 'postmaster.pid'), socket, `${socket}.lock`])
    rmSync(file, { force: true, recursive: true });
}

function processIds(): readonly number[] {
  if (!existsSync('/proc/self')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function worksIn(pid: number, data: string): boolean {
  return unlessForeign(() => programOf(pid) === 'postgres' && readlinkSync(`/proc/${pid}/cwd`) === data);
}

function isOf(pid: number, program: string, argument: string): boolean {
  return unlessForeign(
    () => programOf(pid) === program && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(argument),
  );
}

function programOf(pid: number): string {
  // The program may have been replaced since: "… (deleted)".
  return basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, ''));
}

function unlessForeign(check: () => boolean): boolean {
  try {
    return check();
  } catch (error) {
    if (NOT_OURS.includes(codeOf(error))) return false;
    throw error;
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error;
  }
}
