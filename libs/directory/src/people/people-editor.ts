import { PeopleFileError } from './people-file-format.js';
import type { PersonEntry } from './person.js';
import {
  foreignName,
  misleadingName,
  takenName,
  uniquePersonNames,
  type PersonNames,
  type TakenName,
} from './unique-names.js';

export interface ChangeOptions {
  /** Also if no administrator is left afterwards. */
  readonly force?: boolean;
}

export interface PutOptions extends ChangeOptions {
  /**
   * What is stored of a person who exists: `current` is exactly the entry that is replaced, also if it was changed after
   * the import was read. Without it, people who exist are not stored.
   */
  readonly merge?: (current: PersonEntry, entry: PersonEntry) => PersonEntry;
}

export interface RemoveOptions extends ChangeOptions {
  /** Called with the person as it is now; what it throws rejects the removal. */
  readonly check?: (entry: PersonEntry) => void;
}

export type ConflictKind =
  | 'username-in-use'
  | 'sip-address-in-use'
  | 'unknown-username'
  | 'unknown-contact'
  | 'last-admin'
  | 'changed-by-others'
  | 'rename-interrupted'
  | 'foreign-domain';

/** A change that does not fit to the other people as they are now. */
export class PeopleConflict extends PeopleFileError {
  constructor(
    readonly kind: ConflictKind,
    message: string,
  ) {
    super(message);
  }
}

/** Where an administrator changes people: on the bus, or in a people file. Rejects with {@link PeopleFileError}. */
export interface PeopleEditor {
  list(): Promise<readonly PersonEntry[]>;
  /** Waits until the directory of this process has all changes that were made before. */
  catchUp(): Promise<void>;
  /** Undefined for an unknown username. */
  find(username: string): Promise<PersonEntry | undefined>;
  add(entry: PersonEntry): Promise<void>;
  /** `edit` may be called again when another administrator has changed the person meanwhile. */
  change(username: string, edit: (entry: PersonEntry) => PersonEntry, options?: ChangeOptions): Promise<void>;
  remove(username: string, options?: RemoveOptions): Promise<void>;
  /** The person is bound again by the next sign-in at a provider. Rejects when the person is not bound. */
  unbind(username: string): Promise<void>;
  /**
   * Stores many people; names and addresses were checked before. Returns those who were not stored after all, because
   * others got the same username or SIP address meanwhile.
   */
  putAll(entries: readonly PersonEntry[], options?: PutOptions): Promise<readonly NotStored[]>;
  close(): Promise<void>;
}

export interface NotStored {
  readonly username: string;
  readonly reason: string;
}

/** What an editor knows about people beside the one that it changes. */
export interface OtherPeople {
  has(username: string): boolean;
  /** The person with this username or SIP address, without its scheme. */
  ownerOf(name: string): PersonNames | undefined;
}

export interface MergedEntries {
  /** As they are stored over the people of now. */
  readonly merged: readonly PersonEntry[];
  readonly notStored: readonly NotStored[];
}

/** `existing`: the people of now, by username. */
export function mergedEntries(
  entries: readonly PersonEntry[],
  existing: ReadonlyMap<string, PersonEntry>,
  merge: PutOptions['merge'],
): MergedEntries {
  const merged: PersonEntry[] = [];
  const notStored: NotStored[] = [];
  for (const entry of entries) {
    const current = existing.get(entry.username);
    if (current === undefined) merged.push(entry);
    else if (merge === undefined) notStored.push(addedMeanwhile(entry));
    else merged.push(merge(current, entry));
  }
  return { merged, notStored };
}

/** Of a person with a username that was free when it was checked. */
export function addedMeanwhile({ username }: PersonNames): NotStored {
  return { username, reason: `${username} was added by others meanwhile` };
}

export function otherPeople(people: readonly PersonEntry[]): OtherPeople {
  return {
    has: (username) => people.some((other) => other.username === username),
    ownerOf: (name) => people.find((other) => uniquePersonNames(other).includes(name)),
  };
}

/** Throws when others have the username or SIP address of the new person, or a contact does not exist. */
export function assertAddable(entry: PersonEntry, others: OtherPeople): void {
  const { username, contacts } = entry;
  assertFree(entry, others);
  const unknown = contacts.find((contact) => contact !== username && !others.has(contact));
  if (unknown !== undefined) throw new PeopleConflict('unknown-contact', `unknown username ${unknown}`);
}

/** Throws when a person would get a name that looks like another one. */
export function assertNotMisleading(names: PersonNames, before?: PersonNames): void {
  const problem = misleadingName(names, before);
  if (problem !== undefined) throw new PeopleFileError(problem);
}

/** Throws when a person would get a name whose domain is not one of SIP_DOMAINS. */
export function assertServed(names: PersonNames, domains: readonly string[], before?: PersonNames): void {
  const problem = foreignName(names, domains, before);
  if (problem !== undefined) throw new PeopleConflict('foreign-domain', problem);
}

/** Throws when another person has the username or SIP address of this one. */
export function assertFree(names: PersonNames, others: Pick<OtherPeople, 'ownerOf'>): void {
  const taken = takenName(names, (name) => others.ownerOf(name));
  if (taken !== undefined) throw nameInUse(taken);
}

export function nameInUse({ field, reason }: TakenName): PeopleConflict {
  return new PeopleConflict(field === 'username' ? 'username-in-use' : 'sip-address-in-use', reason);
}

export function alreadyExists(username: string): PeopleConflict {
  return new PeopleConflict('username-in-use', `${username} already exists`);
}

/** Throws when no one would be left who can change people by HTTP: `after` is undefined for a person who is removed. */
export function assertAdminLeft(before: PersonEntry, after: PersonEntry | undefined, all: Iterable<PersonEntry>): void {
  if (!isAdminLost(before, after)) return;
  for (const other of all) if (other.username !== before.username && isAdmin(other)) return;
  throw lastAdmin(before.username);
}

/** Whether a change leaves one administrator less. */
export function isAdminLost(before: PersonEntry, after: PersonEntry | undefined): boolean {
  return isAdmin(before) && (after === undefined || !isAdmin(after));
}

export function lastAdmin(username: string): PeopleConflict {
  return new PeopleConflict('last-admin', `${username} is the last administrator; --force changes it nevertheless`);
}

/** The same for a change of many people, `after`. */
export function assertAdminsLeft(before: readonly PersonEntry[], after: readonly PersonEntry[]): void {
  const changed = new Set(after.map(({ username }) => username));
  const admins = before.filter(isAdmin);
  if (admins.length === 0 || after.some(isAdmin) || admins.some(({ username }) => !changed.has(username))) return;
  throw new PeopleConflict('last-admin', 'no administrator would be left; --force does it nevertheless');
}

/** Whether the person can sign in with a password and change people. */
export function isAdmin({ roles, blocked, passwordHash }: PersonEntry): boolean {
  return roles.includes('admin') && blocked !== true && passwordHash !== undefined;
}

export function unknownUsername(username: string): PeopleConflict {
  return new PeopleConflict('unknown-username', `unknown username ${username}`);
}

export function changedByOthers(username: string): PeopleConflict {
  return new PeopleConflict('changed-by-others', `${username} is changed by others all the time; try again`);
}

/** `begun`: the name that a rename of the person has stored before it was interrupted. */
export function renamedTwice(username: string, begun: string): PeopleConflict {
  const words = `a rename of ${username} to ${begun} was interrupted; repeat it, or remove ${begun}`;
  return new PeopleConflict('rename-interrupted', words);
}

/** The same person with another name in the list of contacts. */
export function withRenamedContact(entry: PersonEntry, before: string, after: string): PersonEntry {
  return { ...entry, contacts: entry.contacts.map((contact) => (contact === before ? after : contact)) };
}
