import type { Bucket } from '@ringdown/nats/buckets';
import { personNames, type Rename } from '../people/stored-rename.js';
import type { PersonNames } from '../people/unique-names.js';
import type { StoredEntry } from './stored-entry.js';

/** What is stored of a rename, a removal or a change of an address. */
export type Note = Pick<StoredEntry, 'rename' | 'removal'>;

/**
 * Stores a note, and then the note with the time of that. Returns the time, by the clock of the bus: what people have stored is
 * compared with it.
 */
export async function putTimedNote(
  bucket: Bucket<StoredEntry>,
  key: string,
  note: Note,
  withTime: (time: number) => Note,
): Promise<number> {
  await bucket.put(key, { people: [], ...note });
  const time = (await bucket.getNewest(key))?.storedAt ?? Date.now();
  await bucket.put(key, { people: [], ...withTime(time) });
  return time;
}

/**
 * Stores that a change of an address begins, with the time as {@link putTimedNote}, unless another writer has stored a note since `revision`:
 * undefined then, and theirs stays.
 */
export async function noteRename(
  bucket: Bucket<StoredEntry>,
  { key, revision }: { readonly key: string; readonly revision: number | undefined },
  before: PersonNames,
  after: PersonNames,
): Promise<Rename | undefined> {
  const rename = { from: personNames(before), to: personNames(after), at: Date.now() };
  const first = await bucket.write(key, { people: [], rename }, revision);
  if (first === undefined) return undefined;
  const stored = await bucket.getNewest(key);
  if (stored?.revision !== first) return undefined;
  const timed = { ...rename, at: stored.storedAt };
  const second = await bucket.write(key, { people: [], rename: timed }, first);
  return second === undefined ? undefined : timed;
}
