import {
  alreadyExists,
  assertAddable,
  assertAdminLeft,
  assertFree,
  assertNotMisleading,
  changedByOthers,
  isAdmin,
  isAdminLost,
  lastAdmin,
  nameInUse,
  renamedTwice,
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
import { othersIn, takenBefore } from './address-owners.js';
import type { PeopleStore } from './people-store.js';
import { importPeople } from './import-people.js';
import { TRIES, updatePerson } from './person-update.js';
import type { HeldLock } from './rename-lock.js';
import type { StoredPerson } from './stored-people.js';

type Edit = (entry: PersonEntry) => PersonEntry;

interface BegunRename {
  readonly before: PersonEntry;
  readonly after: PersonEntry;
  readonly lock: HeldLock;
  readonly undo: () => Promise<void>;
}

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

  change(username: string, edit: Edit, options: ChangeOptions = {}): Promise<void> {
    return this.changeOrRename(username, edit, options);
  }

  async remove(username: string, options: RemoveOptions = {}): Promise<void> {
    await this.store.renameLock.hold(username, (lock) => this.removeAlone(username, options, lock));
  }

  async unbind(username: string): Promise<void> {
    await this.catchUp();
    this.existing(username);
    if (!(await this.store.identities.forget(username)))
      throw new PeopleFileError(`${username} is not bound to an account of a sign-in provider`);
  }

  async putAll(entries: readonly PersonEntry[], options: PutOptions = {}): Promise<readonly NotStored[]> {
    return importPeople(this.store, { all: await this.list(), entries, options });
  }

  close(): Promise<void> {
    this.store.close();
    return Promise.resolve();
  }

  /** With the lock, a rename is made; without it, it waits for it. */
  private async changeOrRename(username: string, edit: Edit, options: ChangeOptions, lock?: HeldLock): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      await this.catchUp();
      const before = this.existing(username);
      const after = parsePerson(edit(before.entry), username);
      assertNotMisleading(after, before.entry);
      if (!options.force) assertAdminLeft(before.entry, after, this.entries());
      if (after.username !== username) {
        // What was read may change until the lock is held.
        if (lock === undefined)
          return this.store.renameLock.hold(username, (held) => this.changeOrRename(username, edit, options, held));
        if (await this.rename(before, after, lock)) return;
        continue;
      }
      const isMoved = after.sipAddress !== before.entry.sipAddress;
      if (isMoved) assertFree(after, this.others(username));
      const stored = await updatePerson(this.store, before, after);
      if (stored === undefined) continue;
      if (isMoved) await this.keepNames(after, stored.undo);
      if (!options.force && isAdminLost(before.entry, after)) await this.keepAdmin(username, stored.undo);
      return stored.end();
    }
    throw changedByOthers(username);
  }

  private async removeAlone(username: string, { force, check }: RemoveOptions, lock: HeldLock): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      await this.catchUp();
      const person = this.existing(username);
      const { entry } = person;
      check?.(entry);
      if (!force) assertAdminLeft(entry, undefined, this.entries());
      await this.assertNoSecondName(entry);
      await lock.confirm();
      // One that was interrupted is not to be finished any more.
      if (this.store.state.unendedRenameOf(username) !== undefined) await this.store.renames.forget(username);
      await this.store.beginRemoval(entry);
      // Before the person: what a failure leaves would sign the account in as the next one with this username.
      await this.store.identities.forget(username);
      await lock.confirm();
      if (!(await this.store.removeAt(person))) continue;
      if (!force && isAdminLost(entry, undefined)) {
        await this.keepAdmin(username, async () => {
          await this.store.create(entry);
          await this.store.forgetRemoval(username);
        });
      }
      return this.store.endRemoval(entry);
    }
    throw changedByOthers(username);
  }

  /**
   * The new name first, the old one last: a crash in between leaves a person twice, not a person less, and the same
   * rename again finishes. False if the person was changed meanwhile.
   */
  private async rename(person: StoredPerson, after: PersonEntry, lock: HeldLock): Promise<boolean> {
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
    if (!this.store.state.isRenaming(before, after)) await this.beginRename({ before, after, lock, undo });
    else if (!(await this.renewCopy(after))) return false;
    await this.catchUp();
    const named = [...this.entries()].filter(({ contacts }) => contacts.includes(before.username));
    for (const { username } of named) {
      if (username === before.username) continue;
      await this.change(username, (entry) => withRenamedContact(entry, before.username, after.username));
    }
    await this.store.identities.move(before.username, after.username);
    await lock.confirm();
    if (await this.store.removeAt(person)) {
      await this.store.renames.end(before, after);
      return true;
    }
    await lock.confirm();
    await this.catchUp();
    if (this.store.state.get(before.username) === undefined) await this.store.identities.forget(after.username);
    else await this.store.identities.move(after.username, before.username);
    await undo();
    return false;
  }

  private async beginRename({ before, after, lock, undo }: BegunRename): Promise<void> {
    await this.assertNoSecondName(before, after.username);
    assertAddable({ ...after, contacts: [] }, this.others(before.username));
    await lock.confirm();
    const removal = this.store.state.removalOf(before.username);
    // One that was interrupted: services would delete what the person has under the old name.
    if (removal !== undefined && removal.endedAt === undefined) await this.store.forgetRemoval(before.username);
    await this.store.renames.begin(before, after);
    if (await this.store.create(after)) return this.keepNames(after, undo, before.username);
    await this.store.renames.forget(before.username);
    throw alreadyExists(after.username);
  }

  /** Of a rename that was interrupted: the person may have been blocked since, by either name. False if it was changed again. */
  private async renewCopy(after: PersonEntry): Promise<boolean> {
    const copy = this.store.state.get(after.username);
    if (copy === undefined) return false;
    const { blocked, signOuts = 0 } = copy.entry;
    const ended = Math.max(signOuts, after.signOuts ?? 0);
    return this.store.update(copy, { ...after, ...(blocked && { blocked }), ...(ended > 0 && { signOuts: ended }) });
  }

  /** `wanted`: a new name with which a rename that was interrupted is finished. */
  private async assertNoSecondName(entry: PersonEntry, wanted?: string): Promise<void> {
    const second = await this.store.secondNameOf(entry);
    if (second !== undefined && second !== wanted) throw renamedTwice(entry.username, second);
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
