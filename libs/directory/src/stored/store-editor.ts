import {
  assertAddable,
  assertAdminLeft,
  unknownUsername,
  withRenamedContact,
  type ChangeOptions,
  type PeopleEditor,
} from '../people-editor.js';
import { PeopleFileError, parsePerson } from '../people-file-format.js';
import type { PersonEntry } from '../person.js';
import type { PeopleStore } from './people-store.js';
import type { StoredPerson } from './stored-people.js';

const TRIES = 20;

/** Changes the people on the bus; each replica has a change some milliseconds later. */
export class StoreEditor implements PeopleEditor {
  constructor(private readonly store: PeopleStore) {}

  async list(): Promise<readonly PersonEntry[]> {
    await this.catchUp();
    return Array.from(this.store.state.all(), ({ entry }) => entry);
  }

  async add(entry: PersonEntry): Promise<void> {
    assertAddable(entry, await this.list());
    if (!(await this.store.create(entry))) throw new PeopleFileError(`${entry.username} already exists`);
  }

  async change(
    username: string,
    edit: (entry: PersonEntry) => PersonEntry,
    { force }: ChangeOptions = {},
  ): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const all = await this.list();
      const before = this.existing(username);
      const after = parsePerson(edit(before.entry), username);
      if (!force) assertAdminLeft(before.entry, after, all);
      if (after.username !== username) return this.rename(before, after, all);
      if (after.sipAddress !== before.entry.sipAddress) {
        assertAddable(
          after,
          all.filter((other) => other.username !== username),
        );
      }
      if (await this.store.update(before, after)) return;
    }
    throw new PeopleFileError(`${username} is changed by others all the time; try again`);
  }

  async remove(username: string, { force }: ChangeOptions = {}): Promise<void> {
    const all = await this.list();
    const { entry } = this.existing(username);
    if (!force) assertAdminLeft(entry, undefined, all);
    await this.store.remove(username);
  }

  close(): Promise<void> {
    this.store.close();
    return Promise.resolve();
  }

  /** The new name first: a crash in between leaves a person twice, not a person less. */
  private async rename(
    { entry: before }: StoredPerson,
    after: PersonEntry,
    all: readonly PersonEntry[],
  ): Promise<void> {
    const others = all.filter(({ username }) => username !== before.username);
    assertAddable({ ...after, contacts: [] }, others);
    if (!(await this.store.create(after))) throw new PeopleFileError(`${after.username} already exists`);
    await this.store.remove(before.username);
    for (const { username, contacts } of others) {
      if (!contacts.includes(before.username)) continue;
      await this.change(username, (entry) => withRenamedContact(entry, before.username, after.username));
    }
  }

  private existing(username: string): StoredPerson {
    const found = this.store.state.get(username);
    if (found === undefined) throw unknownUsername(username);
    return found;
  }

  private async catchUp(): Promise<void> {
    await this.store.catchUp();
    if (!this.store.state.isComplete) {
      throw new PeopleFileError('the message bus has no people yet; start the server once');
    }
  }
}
