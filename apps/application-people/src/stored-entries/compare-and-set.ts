import { outOfStep } from '@ringdown/nats';
import type { Bucket, Entry } from '@ringdown/nats/buckets';

export interface Changed<T> {
  readonly before: T;
  readonly after: T;
}

/** Other writers may be faster several times, but not forever. */
const MAX_TRIES = 50;

/**
 * Changes an entry, or `empty` if it does not exist. The result is written only if the entry has not changed since it
 * was read; otherwise `change` is called again. When it returns the same value, nothing is written.
 */
export async function compareAndSet<T>(
  bucket: Pick<Bucket<T>, 'getNewest' | 'create' | 'update'>,
  key: string,
  empty: T,
  change: (before: T, entry: Entry<T> | undefined) => T,
): Promise<Changed<T>> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const entry = await bucket.getNewest(key);
    const before = entry?.value ?? empty;
    const after = change(before, entry);
    if (after === before) return { before, after };
    const isWritten = await (entry === undefined
      ? bucket.create(key, after)
      : bucket.update(key, after, entry.revision));
    if (isWritten) return { before, after };
    await outOfStep(tries);
  }
  throw new Error('could not write the entry: other replicas keep changing it');
}
