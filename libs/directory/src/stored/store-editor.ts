import {
  addedMeanwhile,
  alreadyExists,
  assertAddable,
  assertAdminLeft,
  assertAdminsLeft,
  assertFree,
  assertNotMisleading,
  changedByOthers,
  isAdmin,
  isAdminLost,
  lastAdmin,
  mergedEntries,
  nameInUse,
  unknownUsername,
  withRenamedContact,
  type ChangeOptions,
  type NotStored,
  type OtherPeople,
  type PeopleEditor,
  type PutOptions,
  type RemoveOptions,
} from '../people/people-editor.js';
import { PeopleFileError, parsePerson } from '../people/people-file-format.js';
import type { PersonEntry } from '../people/person.js';
import { isAddedBefore, othersIn, takenBefore } from './address-owners.js';
import type { PeopleStore } from './people-store.js';
import { inParallel } from './in-parallel.js';
import { NO_UPDATE, updatePerson, type PersonUpdate } from './person-update.js';
import type { StoredPerson } from './stored-people.js';
import { takeBack } from './take-back.js';
import { randomUUID } from 'node:crypto';

const TRIES = 20;

/** Changes the people on the bus; each replica has a change some milliseconds later. */
export class StoreEditor implements PeopleEditor {
  constructor(private readonly store: PeopleStore) {}

  async list(): Promise<readonly PersonEntry[]> {
    await this.catchUp();
    return Array.from(this.store.state.all(), ({ entry }) => entry);
  }

  async catchUp(): Promise<void> {
    await this.store.catchUp();
    if (!this.store.state.isComplete) {
      throw new PeopleFileError('the message bus has no people yet; start the server once');
    }
  }

  async find(username: string): Promise<PersonEntry | undefined> {
    await this.catchUp();
    return this.store.state.get(username)?.entry;
  }

  async add(entry: PersonEntry): Promise<void> {
    assertNotMisleading(entry);
    await this.catchUp();
    assertAddable(entry, this.others());
    if (!(await this.store.create(entry))) throw alreadyExists(entry.username);
    await this.keepNames(entry, () => this.store.remove(entry.username));
  }

  async change(
    username: string,
    edit: (entry: PersonEntry) => PersonEntry,
    { force }: ChangeOptions = {},
  ): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      await this.catchUp();
      const before = this.existing(username);
      const after = parsePerson(edit(before.entry), username);
      assertNotMisleading(after, before.entry);
      if (!force) assertAdminLeft(before.entry, after, this.entries());
      if (after.username !== username) {
        if (await this.rename(before, after)) return;
        continue;
      }
      const isMoved = after.sipAddress !== before.entry.sipAddress;
      if (isMoved) assertFree(after, this.others(username));
      const stored = await updatePerson(this.store, before, after);
      if (stored === undefined) continue;
      if (isMoved) await this.keepNames(after, stored.undo);
      if (!force && isAdminLost(before.entry, after)) await this.keepAdmin(username, stored.undo);
      return stored.end();
    }
    throw changedByOthers(username);
  }

  async remove(username: string, { force, check }: RemoveOptions = {}): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      await this.catchUp();
      const person = this.existing(username);
      const { entry } = person;
      check?.(entry);
      if (!force) assertAdminLeft(entry, undefined, this.entries());
      // First, so that a rename at the same moment does not take the removal for its own.
      if (this.store.state.isBeingRenamed(username)) await this.store.renames.forget(username);
      await this.store.beginRemoval(entry);
      // Before the person: what a failure leaves would sign the account in as the next one with this username.
      await this.store.identities.forget(username);
      if (!(await this.store.removeAt(person))) {
        await this.store.withdrawRemoval(entry);
        continue;
      }
      if (!force && isAdminLost(entry, undefined)) {
        await this.keepAdmin(username, async () => {
          await this.store.create(entry);
          await this.store.forgetRemoval(username);
        });
      }
      await this.store.endRemoval(entry);
      return;
    }
    throw changedByOthers(username);
  }

  async unbind(username: string): Promise<void> {
    await this.catchUp();
    this.existing(username);
    if (!(await this.store.identities.forget(username)))
      throw new PeopleFileError(`${username} is not bound to an account of a sign-in provider`);
  }

  async putAll(entries: readonly PersonEntry[], { force, merge }: PutOptions = {}): Promise<readonly NotStored[]> {
    const all = await this.list();
    const before = new Map(all.map((entry) => [entry.username, entry]));
    const { merged, notStored } = mergedEntries(entries, before, merge);
    if (!force) assertAdminsLeft(all, merged);
    const created = entries.filter(({ username }) => !before.has(username));
    const revisions = await this.store.createAll(randomUUID(), created);
    const updates = new Map<string, PersonUpdate>();
    if (merge !== undefined) {
      const changed = entries.filter(({ username }) => before.has(username));
      await inParallel(changed, async (entry) => void updates.set(entry.username, await this.replace(entry, merge)));
    }
    await this.catchUp();
    const late = new Set(created.filter(({ username }) => isAddedBefore(this.store.state, username, revisions)));
    const stored = merged.filter((entry) => !late.has(entry));
    const takenBack = await takeBack(this.store, { entries: stored, before, updates });
    await inParallel([...updates.values()], ({ end }) => end());
    return [...notStored, ...[...late].map(addedMeanwhile), ...takenBack];
  }

  close(): Promise<void> {
    this.store.close();
    return Promise.resolve();
  }

  /**
   * The new name first, the old one last: a crash in between leaves a person twice, not a person less, and the same
   * rename again finishes. False if the person was changed meanwhile.
   */
  private async rename(person: StoredPerson, after: PersonEntry): Promise<boolean> {
    const { entry: before } = person;
    if (!person.hasOwnKey) {
      // Otherwise it could not be removed at its revision, and what was begun would be undone.
      await this.store.createOwnKey(before);
      return false;
    }
    const undo = async (): Promise<void> => {
      await this.store.remove(after.username);
      await this.store.renames.forget(before.username);
    };
    if (!this.store.state.isRenaming(before, after) && !(await this.beginRename(person, after, undo))) return false;
    await this.catchUp();
    const named = [...this.entries()].filter(({ contacts }) => contacts.includes(before.username));
    for (const { username } of named) {
      if (username === before.username) continue;
      await this.change(username, (entry) => withRenamedContact(entry, before.username, after.username));
    }
    await this.store.identities.move(before.username, after.username);
    if (!(await this.store.removeAt(person))) {
      // The same rename at the same moment, and it was faster.
      if (await this.store.renames.isMade(before, after)) return true;
      if (this.store.state.get(before.username) === undefined) await this.store.identities.forget(after.username);
      else await this.store.identities.move(after.username, before.username);
      await undo();
      return false;
    }
    await this.store.renames.end(before, after);
    return true;
  }

  /** False if the person was changed or is being renamed meanwhile. */
  private async beginRename(person: StoredPerson, after: PersonEntry, undo: () => Promise<void>): Promise<boolean> {
    const { entry: before } = person;
    assertAddable({ ...after, contacts: [] }, this.others(before.username));
    if (!(await this.store.renames.begin(person, after))) return false;
    if (await this.store.create(after)) {
      await this.keepNames(after, undo, before.username);
      return true;
    }
    await this.catchUp();
    // The same rename at the same moment.
    if (this.store.state.isRenaming(before, after)) return true;
    await this.store.renames.forget(before.username);
    throw alreadyExists(after.username);
  }

  private async replace(entry: PersonEntry, merge: Required<PutOptions>['merge']): Promise<PersonUpdate> {
    for (let tries = 0; tries < TRIES; tries++) {
      const before = this.existing(entry.username);
      const after = parsePerson(merge(before.entry, entry), entry.username);
      if (JSON.stringify(parsePerson(before.entry, after.username)) === JSON.stringify(after)) return NO_UPDATE;
      const stored = await updatePerson(this.store, before, after);
      if (stored !== undefined) return stored;
      await this.catchUp();
    }
    throw changedByOthers(entry.username);
  }

  /**
   * Of two people who got the same name at the same moment, the later one gives it back: each writer has read all changes
   * before its own by now.
   */
  private async keepNames(entry: PersonEntry, undo: () => Promise<void>, former = ''): Promise<void> {
    await this.catchUp();
    const taken = takenBefore(this.store.state, entry, former);
    if (taken === undefined) return;
    await undo();
    throw nameInUse(taken);
  }

  /**
   * Two administrators who take the role from each other at the same moment both keep it: each has read the change of the
   * other by now.
   */
  private async keepAdmin(username: string, undo: () => Promise<void>): Promise<void> {
    await this.catchUp();
    for (const entry of this.entries()) if (isAdmin(entry)) return;
    await undo();
    throw lastAdmin(username);
  }

  private others(except?: string): OtherPeople {
    return othersIn(this.store.state, except);
  }

  private *entries(): Iterable<PersonEntry> {
    for (const { entry } of this.store.state.all()) yield entry;
  }

  private existing(username: string): StoredPerson {
    const found = this.store.state.get(username);
    if (found === undefined) throw unknownUsername(username);
    return found;
  }
}
