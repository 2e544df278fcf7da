import { setTimeout as sleep } from 'node:timers/promises';

const LONGEST_WAIT_MS = 20;

/**
 * To be awaited before an entry is read again because another writer was faster, `lost` times before: not at all, then a
 * random time. Of two writers in step, the one with more to write would be faster each time.
 */
export async function outOfStep(lost: number): Promise<void> {
  if (lost > 0) await sleep(Math.random() * Math.min(lost, LONGEST_WAIT_MS));
}
