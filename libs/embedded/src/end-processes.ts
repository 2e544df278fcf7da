import { nodeErrorCode } from '@ringdown/errors';
import { setTimeout as sleep } from 'node:timers/promises';

/** A killed process needs some time to end; one that waits for a disk may need longer than a start can wait. */
const ENDED_MS = 20;
const MOST_MS = 10_000;

/** Kills processes as long as there are any, but not for ever: until then they may still write. Returns their process ids. */
export async function endProcesses(running: () => readonly number[]): Promise<readonly number[]> {
  const ended = new Set<number>();
  const until = performance.now() + MOST_MS;
  for (let pids = running(); pids.length > 0 && performance.now() < until; pids = running()) {
    for (const pid of pids) kill(pid);
    for (const pid of pids) ended.add(pid);
    await sleep(ENDED_MS);
  }
  return [...ended];
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (nodeErrorCode(error) !== 'ESRCH') throw error;
  }
}
