import type { Bucket } from '@ringdown/nats';
import type { StoredEntry } from './stored-entry.js';

/** What is stored of a rename, a removal or a change of an address. */
export type Note = Pick<StoredEntry, 'rename' | 'removal'>;

/** Returns the time by the clock of the bus: what people have stored is compared with it. */
export async function putNote(bucket: Bucket<StoredEntry>, key: string, note: Note): Promise<number> {
  await bucket.put(key, { people: [], ...note });
  return (await bucket.getNewest(key))?.storedAt ?? Date.now();
}
