import type { Bucket } from '@ringdown/nats/buckets';
import type { PersonNames } from '../people/unique-names.js';
import { personNames, renameKey } from '../people/stored-rename.js';
import { putTimedNote } from './notes.js';
import type { StoredEntry } from './stored-entry.js';

/** The notes of renames on the bus; only the holder of the lock for them writes them. */
export class Renames {
  constructor(private readonly bucket: Bucket<StoredEntry>) {}

  /** Before anything else of the rename is stored. */
  async begin(before: PersonNames, after: PersonNames): Promise<void> {
    const rename = { from: personNames(before), to: personNames(after), at: Date.now() };
    await putTimedNote(this.bucket, renameKey(before.username), { rename }, (at) => ({ rename: { ...rename, at } }));
  }

  /** After everything else of the rename. */
  async end(before: PersonNames, after: PersonNames): Promise<void> {
    const key = renameKey(before.username);
    const begun = (await this.bucket.getNewest(key))?.value.rename;
    const rename = { from: personNames(before), to: personNames(after), at: begun?.at ?? Date.now() };
    await putTimedNote(this.bucket, key, { rename }, (endedAt) => ({ rename: { ...rename, endedAt } }));
  }

  /** Of a rename that was not made. */
  async forget(username: string): Promise<void> {
    await this.bucket.delete(renameKey(username));
  }
}
