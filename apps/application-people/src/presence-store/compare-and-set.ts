import type { Bucket } from '@ringdown/nats';

export interface Changed<T> {
  readonly before: T;
  readonly after: T;
}

/** Others may be faster again and again, but not for ever. */
const MAX_TRIES = 50;

/**
 * Changes an entry, `empty` where there is none. The change is written only if the entry is still as it was when the
 * change was made up; otherwise it is made up anew. What is given back unchanged is not written.
 */
export async function compareAndSet<T>(
  bucket: Bucket<T>,
  key: string,
  empty: T,
  change: (before: T) => T,
): Promise<Changed<T>> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const entry = await bucket.get(key);
    const before = entry?.value ?? empty;
    const after = change(before);
    if (after === before) return { before, after };
    const isWritten = await (entry === undefined
      ? bucket.create(key, after)
      : bucket.update(key, after, entry.revision));
    if (isWritten) return { before, after };
  }
  throw new Error('this entry is changed by others all the time');
}
