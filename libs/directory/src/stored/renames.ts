import type { Bucket } from '@ringdown/nats/buckets';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PersonEntry } from '../people/person.js';
import { personNames, renameKey } from '../people/stored-rename.js';
import { putTimedNote, putTimedNoteAfter } from './notes.js';
import type { StoredEntry } from './stored-entry.js';
import type { StoredPeople, StoredPerson } from './stored-people.js';

export interface RenamesOptions {
  readonly bucket: Bucket<StoredEntry>;
  readonly state: StoredPeople;
  /** Waits until all changes that the bus has now are in the state. */
  readonly catchUp: () => Promise<void>;
  /** After which time without any progress a rename counts as interrupted. */
  readonly leftMs?: number | undefined;
}

const CHECK_MS = 10;
/** A rename takes milliseconds, and some more for each person who has the renamed one as a contact. */
const LEFT_MS = 5_000;

/**
 * What is noted of renames on the bus. One that was interrupted is finished when it is run again; of several at the same moment one
 * is made, as its writer removes the old name.
 */
export class Renames {
  constructor(private readonly options: RenamesOptions) {}

  /**
   * Before anything else of the rename is stored. False if the person was changed, or is being renamed at the same moment: who
   * gives another name meanwhile would store the person twice. A rename that was interrupted is waited for in vain, and this one begins.
   */
  async begin({ entry: before, revision }: StoredPerson, after: PersonEntry): Promise<boolean> {
    const { bucket, state, catchUp } = this.options;
    const key = renameKey(before.username);
    const known = await bucket.getNewest(key);
    const rename = { from: personNames(before), to: personNames(after), at: Date.now() };
    if (known?.value.rename !== undefined && known.value.rename.endedAt === undefined) {
      const { from, to } = known.value.rename;
      if (JSON.stringify([from, to]) === JSON.stringify([rename.from, rename.to])) return true;
      if (!(await this.isLeftAt(key, known.revision))) return false;
    }
    // Another rename may have ended just before its note was read.
    await catchUp();
    if (state.get(before.username)?.revision !== revision) return false;
    const place = { key, revision: known?.revision };
    const begun = await putTimedNoteAfter(bucket, place, { rename }, (at) => ({ rename: { ...rename, at } }));
    return begun !== undefined;
  }

  /** After everything else of the rename. */
  async end(before: PersonEntry, after: PersonEntry): Promise<void> {
    const { bucket } = this.options;
    const key = renameKey(before.username);
    const begun = (await bucket.getNewest(key))?.value.rename;
    const rename = { from: personNames(before), to: personNames(after), at: begun?.at ?? Date.now() };
    await putTimedNote(bucket, key, { rename }, (endedAt) => ({ rename: { ...rename, endedAt } }));
  }

  /** Of a rename that was not made. */
  async forget(username: string): Promise<void> {
    await this.options.bucket.delete(renameKey(username));
  }

  /** When another writer has changed or removed the old name: whether that was the same rename. */
  async isMade(before: PersonEntry, after: PersonEntry): Promise<boolean> {
    const { state, catchUp } = this.options;
    const until = performance.now() + this.leftMs;
    for (;;) {
      await catchUp();
      const rename = state.renameOf(before.username);
      if (rename === undefined || !state.isRenamed(before, after)) return false;
      const removal = state.removalOf(before.username);
      const isOld = removal === undefined || (removal.endedAt ?? Infinity) < rename.at;
      if (isOld || rename.endedAt !== undefined) return true;
      if (removal.endedAt !== undefined) return false;
      // Whoever was faster will end it, unless the process was killed: a person is rather kept then.
      if (performance.now() > until) return true;
      await sleep(CHECK_MS);
    }
  }

  private get leftMs(): number {
    return this.options.leftMs ?? LEFT_MS;
  }

  /** Whether nobody changes this note for so long that its writer has ended. */
  private async isLeftAt(key: string, revision: number): Promise<boolean> {
    const until = performance.now() + this.leftMs;
    while (performance.now() < until) {
      if ((await this.options.bucket.getNewest(key))?.revision !== revision) return false;
      await sleep(CHECK_MS);
    }
    return true;
  }
}
