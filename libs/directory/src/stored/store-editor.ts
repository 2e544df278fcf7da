import {
  assertAddable,
  assertAdminLeft,
  assertAdminsLeft,
  unknownUsername,
  withRenamedContact,
  type ChangeOptions,
  type PeopleEditor,
} from '../people-editor.js';
import { PeopleFileError, parsePerson } from '../people-file-format.js';
import type { PersonEntry } from '../person.js';
import type { PeopleStore } from './people-store.js';
import type { StoredPerson } from './stored-people.js';
import { randomUUID } from 'node:crypto';

const TRIES = 20;
const PARALLEL_CHANGES = 64;

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
    throw changedByOthers(username);
  }

  async remove(username: string, { force }: ChangeOptions = {}): Promise<void> {
    const all = await this.list();
    const { entry } = this.existing(username);
    if (!force) assertAdminLeft(entry, undefined, all);
    await this.store.remove(username);
  }

  async putAll(entries: readonly PersonEntry[], { force }: ChangeOptions = {}): Promise<void> {
    const all = await this.list();
    if (!force) assertAdminsLeft(all, entries);
    const isNew = ({ username }: PersonEntry): boolean => this.store.state.get(username) === undefined;
    await this.store.createAll(randomUUID(), entries.filter(isNew));
    const changed = entries.filter((entry) => !isNew(entry)).values();
    const work = async (): Promise<void> => {
      for (const entry of changed) await this.replace(entry);
    };
    await Promise.all(Array.from({ length: PARALLEL_CHANGES }, work));
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

  private async replace(entry: PersonEntry): Promise<void> {
    const after = parsePerson(entry, entry.username);
    for (let tries = 0; tries < TRIES; tries++) {
      const before = this.existing(after.username);
      if (JSON.stringify(parsePerson(before.entry, after.username)) === JSON.stringify(after)) return;
      if (await this.store.update(before, after)) return;
      await this.catchUp();
    }
    throw changedByOthers(after.username);
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

function changedByOthers(username: string): PeopleFileError {
  return new PeopleFileError(`${username} is changed by others all the time; try again`);
}
