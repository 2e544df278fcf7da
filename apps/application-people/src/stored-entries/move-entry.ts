import { isBefore, type Rename } from '@ringdown/directory';
import type { Bucket } from '@ringdown/nats';

/** Other writers may be faster several times, but not forever. */
const MAX_TRIES = 50;

/**
 * Moves the entry of a renamed person to the key of the new name. It may be interrupted, repeated, and run at several
 * replicas at the same time: what was written at the new key since the rename is kept, and what is older is not of this
 * person.
 */
export async function moveEntry<T>(
  bucket: Bucket<T>,
  rename: Rename,
  keyOf: (username: string) => string,
): Promise<void> {
  const [from, to] = [keyOf(rename.from.username), keyOf(rename.to.username)];
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const old = await bucket.get(from);
    if (old === undefined || !isBefore(rename, old.storedAt)) return;
    const present = await bucket.get(to);
    const isKept = present !== undefined && present.storedAt >= rename.at;
    const isWritten = isKept || (await write(bucket, to, old.value, present?.revision));
    if (isWritten && (await bucket.deleteAt(from, old.revision))) return;
  }
  throw new Error('could not move the entry: other replicas keep changing it');
}

function write<T>(bucket: Bucket<T>, key: string, value: T, revision: number | undefined): Promise<boolean> {
  return revision === undefined ? bucket.create(key, value) : bucket.update(key, value, revision);
}
