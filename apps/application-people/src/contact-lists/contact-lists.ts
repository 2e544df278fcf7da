import { KeyedMutex } from '@ringdown/concurrency';
import type { Bus } from '@ringdown/nats';
import { Bucket, type Entry } from '@ringdown/nats/buckets';
import type { Directory, Person } from '@ringdown/directory';
import { currentAddresses, type Rename } from '@ringdown/directory/stored';
import { createHash } from 'node:crypto';
import { stored } from '../sessions/sessions.js';
import { deleteEntry } from '../stored-entries/delete-entry.js';
import { moveEntry } from '../stored-entries/move-entry.js';
import { DEFAULT_GROUP, mergeLists, withAddresses, type ContactList } from './contact-list.js';
import { parseContactList, type StoredContactList } from './stored-contact-list.js';

export interface ContactListChange {
  readonly owner: Person;
  readonly before: ContactList;
  readonly after: ContactList;
}

/** Called with a change after it was stored. */
export type ContactListListener = (change: ContactListChange) => Promise<void>;

interface ListEntry {
  readonly value: StoredContactList;
  /** Undefined for a list that is not stored. */
  readonly revision: number | undefined;
}

export interface ContactListsOptions {
  readonly bus: Bus;
  readonly directory: Directory;
}

/**
 * The contact lists of all users, in the store of the bus. Until users change their list, it comes from the directory;
 * from then on the stored list is used.
 */
export class ContactLists {
  /** Changes of one list are made one after another, so that they are announced in their order. */
  private readonly mutex = new KeyedMutex();
  private readonly listeners: ContactListListener[] = [];

  private constructor(
    private readonly bucket: Bucket<StoredContactList>,
    private readonly directory: Directory,
  ) {}

  static async open({ bus, directory }: ContactListsOptions): Promise<ContactLists> {
    const bucket = await Bucket.open({ bus, name: 'CONTACT_LISTS', maxAgeMs: 0, parse: parseContactList });
    return new ContactLists(bucket, directory);
  }

  onChange(listener: ContactListListener): void {
    this.listeners.push(listener);
  }

  async of(owner: Person): Promise<ContactList> {
    return this.listOf(owner, await stored(() => this.bucket.get(contactListKey(owner.username)))).value;
  }

  /**
   * Changes a list, also when other replicas change it at the same time: `change` is then called again with the list
   * that they stored. If it throws or returns the same list, the list stays as it was.
   */
  async change(owner: Person, change: (list: ContactList) => ContactList): Promise<void> {
    const key = contactListKey(owner.username);
    await this.mutex.runExclusive(key, async () => {
      for (;;) {
        const entry = await this.newest(owner);
        const before = entry.value;
        const changed = change(before);
        if (changed === before) return;
        const after = { ...changed, version: before.version + 1 };
        if (await stored(() => this.write(key, after, entry.revision)))
          return this.notifyListeners(owner, before, after);
      }
    });
  }

  /** What a renamed person has stored stays with that person, whose clients may have read the list of the new name. */
  async move(rename: Rename): Promise<void> {
    const key = contactListKey(rename.to.username);
    await this.mutex.runExclusive(key, async () => {
      const moved = await moveEntry({
        bucket: this.bucket,
        rename,
        keyOf: contactListKey,
        read: (entry) => this.current(entry),
        merge: (before, since) => ({ ...mergeLists(since, before), version: since.version + 1 }),
      });
      const owner = this.directory.people.withUsername(rename.to.username);
      if (moved === undefined || owner === undefined) return;
      await this.notifyListeners(owner, moved.before ?? this.fromDirectory(owner), moved.after);
    });
  }

  /** What a removed person had stored before this time. */
  delete(username: string, before: number): Promise<void> {
    return deleteEntry(this.bucket, contactListKey(username), before);
  }

  /**
   * Two replicas may announce their changes in another order than the changes were made. A replica that has announced
   * an older change therefore announces the newest state again, so that listeners end with the current list.
   */
  private async notifyListeners(owner: Person, first: StoredContactList, second: StoredContactList): Promise<void> {
    let [before, after] = [first, second];
    for (;;) {
      for (const listener of this.listeners) await listener({ owner, before, after });
      const { value: now } = await this.newest(owner);
      if (now.version <= after.version) return;
      [before, after] = [after, now];
    }
  }

  private async newest(owner: Person): Promise<ListEntry> {
    return this.listOf(owner, await stored(() => this.bucket.getNewest(contactListKey(owner.username))));
  }

  private listOf(owner: Person, entry: Entry<StoredContactList> | undefined): ListEntry {
    if (entry === undefined) return { value: this.fromDirectory(owner), revision: undefined };
    return { ...entry, value: this.current(entry) };
  }

  /** With the addresses that renamed people have now. */
  private current({ value, storedAt }: Entry<StoredContactList>): StoredContactList {
    return { ...value, ...withAddresses(value, currentAddresses(this.directory, storedAt)) };
  }

  private fromDirectory(owner: Person): StoredContactList {
    const contacts = this.directory.people.contactsOf(owner).map(({ sipAddress }) => ({
      uri: sipAddress,
      groups: [DEFAULT_GROUP],
    }));
    return { version: 0, contacts, groups: [] };
  }

  private write(key: string, list: StoredContactList, revision: number | undefined): Promise<boolean> {
    return revision === undefined ? this.bucket.create(key, list) : this.bucket.update(key, list, revision);
  }
}

/** Hashed, because names may contain characters that a key may not. */
function contactListKey(username: string): string {
  return createHash('sha256').update(username).digest('hex');
}
