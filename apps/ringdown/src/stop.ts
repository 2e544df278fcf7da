import { nodeErrorCode } from '@ringdown/errors';
import { setTimeout as sleep } from 'node:timers/promises';
import { endLeftoverServers } from './host/leftover-servers.js';
import { processMark, processWords, RunningFile, type RunningSystem } from './running-system.js';

/** The system exits after 25 s, even if work is still in progress. */
const TIMEOUT_MS = 30_000;
const CHECK_MS = 100;

/**
 * Stops the system of a data folder, and waits until it has ended. Returns what it did; throws an Error when it failed.
 */
export async function stopSystem(dataDir: string): Promise<string> {
  const file = new RunningFile(dataDir);
  const system = file.read();
  if (system === undefined) {
    const left = await endLeftovers(dataDir, 'a crash');
    return `Ringdown was not running: no process uses ${dataDir} (DATA_DIR)${left}`;
  }
  if (system.isElsewhere) throw new Error(`${dataDir} (DATA_DIR) is in use by ${processWords(system)}: stop it there`);
  signal(system);
  const deadline = Date.now() + TIMEOUT_MS;
  while (processMark(system.pid) === system.mark) {
    if (Date.now() > deadline) {
      throw new Error(
        `process ${system.pid} has not stopped within ${TIMEOUT_MS / 1_000} s; "kill -9 ${system.pid}" ends it`,
      );
    }
    await sleep(CHECK_MS);
  }
  // It ends itself when it cannot stop in time, and may be killed while it stops.
  const left = await endLeftovers(dataDir, 'it');
  return `Ringdown has stopped: process ${system.pid}, data in ${dataDir}${left}`;
}

/** What it has done, as the end of a sentence. */
async function endLeftovers(dataDir: string, by: string): Promise<string> {
  const ended = await endLeftoverServers(dataDir);
  return ended.length === 0 ? '' : `; ended what ${by} has left behind: ${ended.join(', ')}`;
}

function signal({ pid }: RunningSystem): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    // The process has just ended by itself.
    if (nodeErrorCode(error) === 'ESRCH') return;
    throw new Error(`process ${pid} belongs to another user`, { cause: error });
  }
}
