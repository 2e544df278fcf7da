import { KeyedMutex } from '@ringdown/concurrency';
import { Bucket, type Bus } from '@ringdown/nats';
import type { Directory, Person } from '@ringdown/directory';
import { createHash } from 'node:crypto';
import { stored } from '../sessions/sessions.js';
import { DEFAULT_GROUP, type ContactList } from './contact-list.js';
import { parseContactList, type StoredContactList } from './stored-contact-list.js';

export interface ContactListChange {
  readonly owner: Person;
  readonly before: ContactList;
  readonly after: ContactList;
}

/** Hears of a change after it was stored. */
export type ContactListListener = (change: ContactListChange) => Promise<void>;

interface KnownList {
  readonly value: StoredContactList;
  /** Undefined for what is not stored. */
  readonly revision: number | undefined;
}

export interface ContactListsOptions {
  readonly bus: Bus;
  readonly directory: Directory;
}

/**
 * The contact lists of all users, in the bus' store. Until somebody changes theirs it is what the directory says, and
 * from then on theirs alone.
 */
export class ContactLists {
  /** Changes of one list wait here for each other, so that they are told in their order. */
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
    return (await this.read(owner)).value;
  }

  /**
   * Changes a list, also when other replicas change it at the same time: `change` is then called again with what they
   * made of it. Whatever it throws leaves the list as it was.
   */
  async change(owner: Person, change: (list: ContactList) => ContactList): Promise<void> {
    const key = keyOf(owner.username);
    await this.mutex.runExclusive(key, async () => {
      for (;;) {
        const entry = await this.read(owner);
        const before = entry.value;
        const after = { ...change(before), version: before.version + 1 };
        if (await stored(() => this.write(key, after, entry.revision))) return this.tell(owner, before, after);
      }
    });
  }

  /**
   * Two replicas may tell of their changes in another order than the changes were made. Who has told of an older one
   * therefore tells of what came after it once more, so that whoever listens ends up with the list as it is.
   */
  private async tell(owner: Person, first: StoredContactList, second: StoredContactList): Promise<void> {
    let [before, after] = [first, second];
    for (;;) {
      for (const listener of this.listeners) await listener({ owner, before, after });
      const { value: now } = await this.read(owner);
      if (now.version <= after.version) return;
      [before, after] = [after, now];
    }
  }

  private async read(owner: Person): Promise<KnownList> {
    const entry = await stored(() => this.bucket.get(keyOf(owner.username)));
    return entry ?? { value: this.fromDirectory(owner), revision: undefined };
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

/** Hashed, as people have names that no key may hold. */
function keyOf(username: string): string {
  return createHash('sha256').update(username).digest('hex');
}
