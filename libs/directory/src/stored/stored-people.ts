import type { People } from '../people/people.js';
import { PeopleById } from '../people/people-by-id.js';
import { personWithoutSecrets, type PersonEntry } from '../people/person.js';
import { personSecret, type Secret } from '../passwords/secret.js';
import type { PersonNames } from '../people/unique-names.js';
import { removalKey, type Removal } from '../people/stored-removal.js';
import { renameKey, type Rename } from '../people/stored-rename.js';
import { personKey, STARTED_KEY, usernameIn, type StoredEntry } from './stored-entry.js';

/** A change of one key of the bucket; `entry` is undefined for a deletion. */
export interface StoredChange {
  readonly key: string;
  readonly entry: StoredEntry | undefined;
  readonly revision: number;
  /** No later change is known so far. */
  readonly isNewest: boolean;
}

/** A person with the state of the bucket that it was read from. */
export interface StoredPerson {
  readonly entry: PersonEntry;
  /** Of the newest change of this person. */
  readonly revision: number;
  /** Whether the person has a key of their own. */
  readonly hasOwnKey: boolean;
}

interface State extends Omit<StoredPerson, 'entry'>, Secret {
  /** What {@link personWithoutSecrets} leaves out. */
  readonly rest: Pick<PersonEntry, 'passwordHash' | 'blocked' | 'signOuts'>;
}

const SAME_PERSON = ['name', 'sipAddress', 'passwordHash'] as const;

/** All people of the bucket, as of the changes that were applied in order. */
export class StoredPeople {
  private readonly known = new PeopleById();
  private readonly states = new Map<string, State>();
  /** By their keys. */
  private readonly renamed = new Map<string, Rename>();
  private readonly removed = new Map<string, Removal>();
  private started = false;
  private newest = false;
  private applied = 0;
  /** While all entries are reported again: who was among them, because the others are gone. */
  private reported: Set<string> | undefined;

  /** Includes all changes until it is changed again. */
  get people(): People {
    return this.known;
  }

  get duplicates(): PeopleById['duplicates'] {
    return this.known.duplicates;
  }

  /** Whether all people were read once. */
  get isComplete(): boolean {
    return this.started && this.newest;
  }

  /** The last one of each old username, and of each old SIP address. */
  get renames(): Iterable<Rename> {
    return this.renamed.values();
  }

  /** The last one of each username. */
  get removals(): Iterable<Removal> {
    return this.removed.values();
  }

  /** The last removal of a person with this username. */
  removalOf(username: string): Removal | undefined {
    return this.removed.get(removalKey(username));
  }

  /** When the last person who does not have this username any more was removed or renamed, by the clock of the bus. */
  leftAt(username: string): number {
    const removal = this.removalOf(username);
    // One that was interrupted may have removed the person.
    const ends = [removal?.endedAt ?? removal?.at, this.renamed.get(renameKey(username))?.endedAt];
    return Math.max(...ends.map((at = 0) => at));
  }

  /** A rename of a person with this username that has begun and not ended. */
  unendedRenameOf(username: string): Rename | undefined {
    const known = this.renamed.get(renameKey(username));
    return known?.endedAt === undefined ? known : undefined;
  }

  /** Whether this rename was begun and interrupted after the new name was stored. */
  isRenaming(before: PersonNames, after: PersonEntry): boolean {
    if (this.unendedRenameOf(before.username)?.to.username !== after.username) return false;
    const entry = this.get(after.username)?.entry;
    // Another person may have got the new name meanwhile; a hash is of one person.
    return SAME_PERSON.every((field) => entry?.[field] === after[field]);
  }

  /** The revision of the last change that was applied. */
  get revision(): number {
    return this.applied;
  }

  apply({ key, entry, revision, isNewest }: StoredChange): void {
    // A bus that comes back with an older state uses some revisions again.
    if (revision <= this.applied) {
      this.reported = new Set();
      this.renamed.clear();
      this.removed.clear();
    }
    this.applied = revision;
    this.started ||= key === STARTED_KEY;
    this.applyNotes(key, entry);
    this.applyPeople(key, entry, revision);
    this.newest ||= isNewest;
    if (isNewest) this.removeUnreported();
  }

  secretOf(username: string): Secret | undefined {
    return this.states.get(username);
  }

  get(username: string): StoredPerson | undefined {
    const person = this.known.get(username);
    const state = this.states.get(username);
    if (person === undefined || state === undefined) return undefined;
    const { revision, hasOwnKey, rest } = state;
    return { entry: { ...person, ...rest }, revision, hasOwnKey };
  }

  *all(): Iterable<StoredPerson> {
    for (const username of this.states.keys()) {
      const person = this.get(username);
      if (person !== undefined) yield person;
    }
  }

  /** All people with this username or SIP address, without its scheme. */
  withName(name: string): readonly StoredPerson[] {
    return this.known.idsOf(name).flatMap((username) => this.get(username) ?? []);
  }

  private applyNotes(key: string, entry: StoredEntry | undefined): void {
    if (entry?.rename === undefined) this.renamed.delete(key);
    else this.renamed.set(key, entry.rename);
    if (entry?.removal === undefined) this.removed.delete(key);
    else this.removed.set(key, entry.removal);
  }

  private applyPeople(key: string, entry: StoredEntry | undefined, revision: number): void {
    if (entry === undefined) {
      const username = usernameIn(key);
      if (username !== undefined) this.remove(username);
      return;
    }
    // A person who was wanted as imported and is not as changed since.
    for (const each of entry.skipped ?? []) if (this.mayPut(key, each)) this.remove(each);
    for (const each of entry.people) if (this.mayPut(key, each.username)) this.put(each, revision, key);
  }

  /** Of an import only people who were new: others were added while it was written. */
  private mayPut(key: string, username: string): boolean {
    return key === personKey(username) || !(this.reported ?? this.states).has(username);
  }

  private put(entry: PersonEntry, revision: number, key: string): void {
    const { username, passwordHash, blocked, signOuts } = entry;
    this.known.put(username, personWithoutSecrets(entry));
    const rest = {
      ...(passwordHash === undefined ? {} : { passwordHash }),
      ...(blocked === undefined ? {} : { blocked }),
      ...(signOuts === undefined ? {} : { signOuts }),
    };
    this.states.set(username, { revision, hasOwnKey: key === personKey(username), rest, ...personSecret(entry) });
    this.reported?.add(username);
  }

  private remove(username: string): void {
    this.known.remove(username);
    this.states.delete(username);
    this.reported?.delete(username);
  }

  private removeUnreported(): void {
    const { reported } = this;
    if (reported === undefined) return;
    this.reported = undefined;
    for (const username of this.states.keys()) if (!reported.has(username)) this.remove(username);
  }
}
