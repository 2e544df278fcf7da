import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdirSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processWords, RunningFile } from '../running-system.js';
import type { Installation } from './installation.js';

/** Where systemd runs (sd_booted(3)). */
const SYSTEMD = '/run/systemd/system';
const SERVICE = 'ringdown.service';
const DONE = { start: 'runs', restart: 'runs', stop: 'has stopped' };
const CHECK_MS = 50;
const KEPT_LOGS = 3;
/** A start has printed its addresses by then. */
const WELCOME = 'Try next, in another terminal:';

export type ServiceVerb = 'start' | 'stop' | 'restart';

/** Runs `systemctl VERB` where that is what starts and stops the system; undefined where it is not. */
export function serviceManagerDoes(
  verb: ServiceVerb,
  { kind }: Pick<Installation, 'kind'>,
  isSystemd = existsSync(SYSTEMD),
): number | undefined {
  if (kind !== 'deb' || process.getuid?.() !== 0 || !isSystemd) return undefined;
  const code = spawnSync('systemctl', [verb, SERVICE], { stdio: 'inherit' }).status ?? 1;
  if (code === 0) process.stdout.write(`${SERVICE} ${DONE[verb]}; "ringdown status" shows its state\n`);
  return code;
}

/**
 * Starts the system as a process of its own, which stays when this one and its terminal end, and waits until it is ready. Prints what it
 * has printed; returns its exit code, or 0.
 */
export async function startInBackground(
  dataDir: string,
  launcher: string,
  { cache }: Pick<Installation, 'cache'>,
): Promise<number> {
  const found = new RunningFile(dataDir).read();
  if (found !== undefined && (found.inner === undefined || found.isElsewhere)) {
    const what = found.isElsewhere ? '' : ', which is not ready or another command';
    process.stderr.write(`the data folder ${dataDir} is in use by ${processWords(found)}${what}\n`);
    return 1;
  }
  if (found !== undefined) {
    process.stdout.write(`Ringdown runs already: process ${found.pid}, data in ${dataDir}\n`);
    return 0;
  }
  const file = newLog(join(dataDir, 'log'));
  const log = openSync(file, 'a', 0o600);
  const child = spawn(process.execPath, [...process.execArgv, launcher, 'run'], {
    detached: true,
    stdio: ['ignore', log, log],
    // Its settings are in the environment, and their file may be for the caller alone.
    env: { ...process.env, ...compileCache(cache), RINGDOWN_BACKGROUND: '1', RINGDOWN_ENV_FILE: '/dev/null' },
  });
  closeSync(log);
  const ended = once(child, 'exit').then(([code]: unknown[]) => (typeof code === 'number' ? code : 1));
  const code = await Promise.race([ended, whenReady(dataDir, child.pid, file)]);
  process.stdout.write(textOf(file));
  process.stdout.write(`  Log                     ${file}\n`);
  child.unref();
  return code;
}

/** Root never runs what another user has compiled. */
function compileCache(cache: string | undefined): NodeJS.ProcessEnv {
  return cache === undefined || process.getuid?.() === 0 ? {} : { NODE_COMPILE_CACHE: cache };
}

/** Resolves to 0 when that process has written its addresses, and then to its log what is printed here. */
async function whenReady(dataDir: string, pid: number | undefined, log: string): Promise<number> {
  const file = new RunningFile(dataDir);
  for (;;) {
    const system = file.read();
    const isAnnounced = system?.pid === pid && (system?.addresses.length ?? 0) > 0;
    if (isAnnounced && textOf(log).includes(WELCOME)) return 0;
    await sleep(CHECK_MS, undefined, { ref: false });
  }
}

/** The file for the output of the next start; those of the last ones are kept. */
function newLog(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const nameOf = (age: number): string => join(folder, age === 0 ? 'ringdown.log' : `ringdown.log.${age}`);
  for (let age = KEPT_LOGS - 1; age > 0; age--)
    if (existsSync(nameOf(age - 1))) renameSync(nameOf(age - 1), nameOf(age));
  return nameOf(0);
}

function textOf(file: string): string {
  const bytes = Buffer.alloc(statSync(file).size);
  const opened = openSync(file, 'r');
  try {
    return bytes.toString('utf8', 0, readSync(opened, bytes));
  } finally {
    closeSync(opened);
  }
}
