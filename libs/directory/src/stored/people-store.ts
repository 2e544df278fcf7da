import type { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import type { StreamRole } from '@ringdown/nats/streams';
import type { Logger } from '@ringdown/observability';
import { setTimeout as sleep } from 'node:timers/promises';
import { DirectoryUnavailable } from '../people/directory.js';
import type { PersonEntry } from '../people/person.js';
import { AddressChange } from './address-change.js';
import { Identities } from './identities.js';
import { inParallel } from './in-parallel.js';
import { putTimedNote } from './notes.js';
import { RenameLock } from './rename-lock.js';
import { Renames } from './renames.js';
import {
  BUCKET,
  importKey,
  personKey,
  parseStoredEntry,
  STARTED_KEY,
  type StoredEntry,
  type Wanted,
} from './stored-entry.js';
import { StoredPeople, type StoredPerson } from './stored-people.js';
import { isForgotten, removalKey } from '../people/stored-removal.js';
import { personNames } from '../people/stored-rename.js';

export interface PeopleStoreOptions {
  readonly bus: Bus;
  readonly logger: Logger;
  readonly role: StreamRole;
  /** Reads only these people; a program that needs few of many does not check them all. */
  readonly wanted?: Wanted | undefined;
  /** After which time without a renewal the lock of a rename counts as left. */
  readonly lockTimeoutMs?: number;
}

/** Many people take seconds to read; this is without any of them. */
const NO_PROGRESS_MS = 10_000;
const CHECK_MS = 10;
/** About 100 KB in a message of the bus, which may have 1 MB; a message costs the bus one write to its disk. */
const IMPORTED_AT_ONCE = 200;

/** The people on the bus: read into memory and followed, written with the revision that a change is based on. */
export class PeopleStore {
  private readonly listeners = new Set<() => void>();
  private stop = (): void => undefined;
  /** Which person has which account at a sign-in provider. */
  readonly identities: Identities;
  readonly renames: Renames;
  /** Held by the editor that renames or removes a person. */
  readonly renameLock: RenameLock;

  private constructor(
    private readonly bucket: Bucket<StoredEntry>,
    readonly state: StoredPeople,
    lockTimeoutMs?: number,
  ) {
    this.identities = new Identities(bucket);
    this.renames = new Renames(bucket);
    this.renameLock = new RenameLock(bucket, lockTimeoutMs);
  }

  static async open(options: PeopleStoreOptions): Promise<PeopleStore> {
    const { bus, role, lockTimeoutMs } = options;
    const store = new PeopleStore(await openBucket({ bus, role }), new StoredPeople(), lockTimeoutMs);
    store.follow(options.wanted === undefined ? store.bucket : await openBucket(options), options);
    return store;
  }

  /** The same people, written through another connection: services of one process have different permissions. */
  async through(bus: Bus): Promise<PeopleStore> {
    return new PeopleStore(await openBucket({ bus, role: 'user' }), this.state);
  }

  /** Called after each change that was read; returns the function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Waits until all changes that the bus has now are in the state. Throws {@link DirectoryUnavailable}. */
  async catchUp(): Promise<void> {
    const revision = await this.bucket.lastRevision();
    let [read, readAt] = [this.state.revision, Date.now()];
    while (this.state.revision < revision) {
      if (this.state.revision !== read) [read, readAt] = [this.state.revision, Date.now()];
      if (Date.now() > readAt + NO_PROGRESS_MS)
        throw new DirectoryUnavailable('the people on the message bus could not be read');
      await sleep(CHECK_MS);
    }
  }

  /** Whether the bucket has its first people. */
  async isStarted(): Promise<boolean> {
    return (await this.bucket.get(STARTED_KEY)) !== undefined;
  }

  /** Stores the first people. Replicas that start at the same time store the same ones. */
  async start(people: readonly PersonEntry[]): Promise<void> {
    await this.createAll('first', people);
    await this.bucket.create(STARTED_KEY, { people: [] });
  }

  /** False if the username is in use. */
  create(entry: PersonEntry): Promise<boolean> {
    return this.bucket.create(personKey(entry.username), { people: [entry] });
  }

  /** False if the person was changed since it was read. */
  async update({ entry, revision, hasOwnKey }: StoredPerson, changed: PersonEntry): Promise<boolean> {
    const key = personKey(entry.username);
    const value = { people: [changed] };
    return hasOwnKey ? this.bucket.update(key, value, revision) : this.bucket.create(key, value);
  }

  async remove(username: string): Promise<void> {
    await this.bucket.delete(personKey(username));
  }

  /** False if the person was changed since it was read, or has no own key yet: it has one when it is read again. */
  async removeAt({ entry, revision, hasOwnKey }: StoredPerson): Promise<boolean> {
    if (hasOwnKey) return this.bucket.deleteAt(personKey(entry.username), revision);
    await this.createOwnKey(entry);
    return false;
  }

  /** For a person who was imported together with others. */
  async createOwnKey(entry: PersonEntry): Promise<void> {
    await this.bucket.create(personKey(entry.username), { people: [entry] });
  }

  /** The new name that a rename has stored before it was interrupted: the person is there twice, wanted or not. */
  async secondNameOf({ username, name, passwordHash }: PersonEntry): Promise<string | undefined> {
    const to = this.state.unendedRenameOf(username)?.to;
    if (to === undefined) return undefined;
    const stored = (await this.bucket.getNewest(personKey(to.username)))?.value.people[0];
    if (stored === undefined) return undefined;
    // Another person may have got the new name meanwhile; a hash is of one person.
    const isSame = stored.passwordHash === passwordHash && (passwordHash !== undefined || stored.name === name);
    return isSame && stored.sipAddress === to.sipAddress ? to.username : undefined;
  }

  /** Before a person gets another SIP address and keeps the username. Undefined if others change it at the same moment. */
  beginAddressChange(before: PersonEntry, after: PersonEntry): Promise<AddressChange | undefined> {
    return AddressChange.begin(this.bucket, before, after);
  }

  /** Before the person is removed. */
  async beginRemoval(entry: PersonEntry): Promise<void> {
    const removal = { person: personNames(entry), at: Date.now() };
    await putTimedNote(this.bucket, removalKey(entry.username), { removal }, (at) => ({ removal: { ...removal, at } }));
  }

  /** After the person was removed. */
  async endRemoval({ username }: PersonEntry): Promise<void> {
    const key = removalKey(username);
    const removal = (await this.bucket.getNewest(key))?.value.removal;
    if (removal === undefined) return;
    const ended = await putTimedNote(this.bucket, key, { removal }, (endedAt) => ({
      removal: { ...removal, endedAt },
    }));
    for (const old of [...this.state.removals].filter((each) => isForgotten(each, ended)))
      await this.forgetRemoval(old.person.username);
  }

  /** For a removal that was not made, or is long ago. */
  async forgetRemoval(username: string): Promise<void> {
    await this.bucket.delete(removalKey(username));
  }

  /**
   * Stores many people whose usernames are not in use; `name` of the import must be new. The revision of each, by
   * username: who was added before it, stays.
   */
  async createAll(name: string, people: readonly PersonEntry[]): Promise<ReadonlyMap<string, number>> {
    const revisions = new Map<string, number>();
    const numbers = Array.from({ length: Math.ceil(people.length / IMPORTED_AT_ONCE) }, (_, n) => n);
    await inParallel(numbers, async (n) => {
      const pack = people.slice(n * IMPORTED_AT_ONCE, (n + 1) * IMPORTED_AT_ONCE);
      const revision = await this.bucket.write(importKey(`${name}-${n}`), { people: pack }, undefined);
      if (revision !== undefined) for (const { username } of pack) revisions.set(username, revision);
    });
    return revisions;
  }

  close(): void {
    this.stop();
  }

  private follow(bucket: Bucket<StoredEntry>, { bus, logger }: PeopleStoreOptions): void {
    this.stop = bucket.follow(logger, (key, entry, isNewest, revision) => {
      for (const problem of entry?.problems ?? []) logger.error({ key, problem }, 'a stored person is ignored');
      this.state.apply({ key, entry, isNewest, revision });
      for (const listener of this.listeners) listener();
    });
    // Following a bus that is closed would only log an outage.
    bus.beforeClose(async () => this.close());
  }
}

function openBucket({
  bus,
  role,
  wanted,
}: Pick<PeopleStoreOptions, 'bus' | 'role' | 'wanted'>): Promise<Bucket<StoredEntry>> {
  const parse = (value: unknown): StoredEntry => parseStoredEntry(value, wanted);
  return Bucket.open({ bus, name: BUCKET, maxAgeMs: 0, parse, role });
}
