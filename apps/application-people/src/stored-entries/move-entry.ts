import { isBefore, type Rename } from '@ringdown/directory/stored';
import type { Bucket, Entry } from '@ringdown/nats/buckets';

export interface Move<T> {
  readonly bucket: Bucket<T>;
  readonly rename: Rename;
  readonly keyOf: (username: string) => string;
  /** The value of an entry as it is to be stored now: earlier renames of other people do not apply to what is newer. */
  readonly read: (entry: Entry<T>) => T;
  /** What the person had before, and what the same person has written under the new name since. */
  readonly merge: (before: T, since: T) => T;
}

/** Other writers may be faster several times, but not forever. */
const MAX_TRIES = 50;

/** What the entry of the new name was, undefined if there was none, and what it is after the move. */
export interface Moved<T> {
  readonly before: T | undefined;
  readonly after: T;
}

/**
 * Moves the entry of a renamed person to the key of the new name. It may be interrupted, repeated, and run at several
 * replicas at the same time: what was written at the new key since the rename is merged, and what is older is not of this
 * person. Undefined if there is nothing to move.
 */
export async function moveEntry<T>({ bucket, rename, keyOf, read, merge }: Move<T>): Promise<Moved<T> | undefined> {
  const [from, to] = [keyOf(rename.from.username), keyOf(rename.to.username)];
  // Only the SIP address has changed.
  if (from === to) return undefined;
  let moved: Moved<T> | undefined;
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const old = await bucket.getNewest(from);
    if (old === undefined || !isBefore(rename, old.storedAt)) return moved;
    const present = await bucket.getNewest(to);
    const before = present && read(present);
    const isOwn = present !== undefined && present.storedAt >= rename.at;
    const after = isOwn ? merge(read(old), read(present)) : read(old);
    if (!(await write(bucket, to, after, present?.revision))) continue;
    moved = { before: moved === undefined ? before : moved.before, after };
    if (await bucket.deleteAt(from, old.revision)) return moved;
  }
  throw new Error('could not move the entry: other replicas keep changing it');
}

function write<T>(bucket: Bucket<T>, key: string, value: T, revision: number | undefined): Promise<boolean> {
  return revision === undefined ? bucket.create(key, value) : bucket.update(key, value, revision);
}
