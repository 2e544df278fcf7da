import type { Bucket } from '@ringdown/nats/buckets';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PersonEntry } from '../people/person.js';
import { personNames, renameKey } from '../people/stored-rename.js';
import { noteRename, putTimedNote } from './notes.js';
import type { StoredEntry } from './stored-entry.js';
import type { StoredPeople, StoredPerson } from './stored-people.js';

export interface RenamesOptions {
  readonly bucket: Bucket<StoredEntry>;
  readonly state: StoredPeople;
  /** Waits until all changes that the bus has now are in the state. */
  readonly catchUp: () => Promise<void>;
  /** After which time without any progress a rename counts as interrupted. */
  readonly timeoutMs?: number | undefined;
}

const CHECK_MS = 10;
/** A rename takes milliseconds, and some more for each person who has the renamed one as a contact. */
const TIMEOUT_MS = 5_000;

/**
 * What is noted of renames on the bus. One that was interrupted is finished when it is run again; of several at the same moment one
 * is made, as its writer removes the old name.
 */
export class Renames {
  constructor(private readonly options: RenamesOptions) {}

  /**
   * Before anything else of the rename is stored. False if the person was changed, or is being renamed at the same moment: who
   * gives another name meanwhile would store the person twice. A rename that was interrupted is replaced after a time-out.
   */
  async begin({ entry: before, revision }: StoredPerson, after: PersonEntry): Promise<boolean> {
    const { bucket, state, catchUp } = this.options;
    const key = renameKey(before.username);
    const known = await bucket.getNewest(key);
    if (known?.value.rename !== undefined && known.value.rename.endedAt === undefined) {
      const { from, to } = known.value.rename;
      if (JSON.stringify([from, to]) === JSON.stringify([before, after].map(personNames))) return true;
      if (!(await this.isInterrupted(key, known.revision))) return false;
    }
    // Another rename may have ended just before its note was read.
    await catchUp();
    if (state.get(before.username)?.revision !== revision) return false;
    return (await noteRename(bucket, { key, revision: known?.revision }, before, after)) !== undefined;
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
    const until = performance.now() + this.timeoutMs;
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

  private get timeoutMs(): number {
    return this.options.timeoutMs ?? TIMEOUT_MS;
  }

  /** Whether the note stays unchanged until the time-out. */
  private async isInterrupted(key: string, revision: number): Promise<boolean> {
    const until = performance.now() + this.timeoutMs;
    while (performance.now() < until) {
      if ((await this.options.bucket.getNewest(key))?.revision !== revision) return false;
      await sleep(CHECK_MS);
    }
    return true;
  }
}
