import type { Bucket } from '@ringdown/nats/buckets';

/** Other writers may be faster several times, but not forever. */
const MAX_TRIES = 50;

/** Deletes an entry that was written before this time: a later one is of another person. */
export async function deleteEntry<T>(bucket: Bucket<T>, key: string, before: number): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const entry = await bucket.getNewest(key);
    if (entry === undefined || entry.storedAt >= before) return;
    if (await bucket.deleteAt(key, entry.revision)) return;
  }
  throw new Error('could not delete the entry: other replicas keep changing it');
}
