import type { Bucket } from '@ringdown/nats/buckets';
import type { PersonNames } from '../people/unique-names.js';
import { noteRename, putTimedNote } from './notes.js';
import type { StoredEntry } from './stored-entry.js';
import { addressKey, type Rename } from '../people/stored-rename.js';

/**
 * The change of the SIP address of a person who keeps the username. It is a rename by the old address, stored before the
 * person is: at no time do services see the new address without it.
 */
export class AddressChange {
  private constructor(
    private readonly bucket: Bucket<StoredEntry>,
    private readonly rename: Rename,
    /** Of an earlier change from the same address. */
    private readonly earlier: StoredEntry | undefined,
  ) {}

  /** Undefined if another change from the same address begins or ends at the same moment: it would be lost by {@link undo}. */
  static async begin(
    bucket: Bucket<StoredEntry>,
    before: PersonNames,
    after: PersonNames,
  ): Promise<AddressChange | undefined> {
    const key = addressKey(before.sipAddress);
    const earlier = await bucket.getNewest(key);
    const rename = await noteRename(bucket, { key, revision: earlier?.revision }, before, after);
    return rename && new AddressChange(bucket, rename, earlier?.value);
  }

  /** After the person has the new address. */
  async end(): Promise<void> {
    const { bucket, key, rename } = this;
    await putTimedNote(bucket, key, { rename }, (endedAt) => ({ rename: { ...rename, endedAt } }));
  }

  /** When the person has the old address: the change was not made. Another one may have begun or ended meanwhile. */
  async undo(): Promise<void> {
    const { bucket, key, rename, earlier } = this;
    const stored = await bucket.getNewest(key);
    if (stored === undefined || JSON.stringify(stored.value.rename) !== JSON.stringify(rename)) return;
    if (earlier === undefined) await bucket.deleteAt(key, stored.revision);
    else await bucket.update(key, earlier, stored.revision);
  }

  private get key(): string {
    return addressKey(this.rename.from.sipAddress);
  }
}
