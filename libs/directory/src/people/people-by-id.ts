import { canonicalName } from './address.js';
import { contactsAmong, SIP, type People } from './people.js';
import type { Person } from './person.js';
import { uniquePersonNames } from './unique-names.js';
import { CommonValues } from './common-values.js';

/**
 * All people that were read, by the id of their entry. It is changed in place, one person at a time: a directory has
 * many people, and a change of one person must not cause new lists of all of them.
 *
 * A username or SIP address of several entries belongs to the first of them by id, so that every replica chooses the
 * same one after every start. A person who does not own both names is left out.
 */
export class PeopleById implements People {
  private readonly byId = new Map<string, Person>();
  private readonly common = new CommonValues();
  /** The ids by username and by SIP address without its scheme. */
  private readonly owners = new Map<string, string>();
  /** All ids of the few names that several entries have. */
  private readonly contested = new Map<string, Set<string>>();

  get size(): number {
    return this.byId.size - this.duplicates.size;
  }

  get all(): readonly Person[] {
    const { duplicates } = this;
    const people = [...this.byId.values()];
    return duplicates.size === 0 ? people : people.filter((person) => !duplicates.has(person));
  }

  /** The people who are left out because of their names. */
  get duplicates(): ReadonlySet<Person> {
    const duplicates = new Set<Person>();
    for (const id of new Set([...this.contested.values()].flatMap((several) => [...several]))) {
      const person = this.byId.get(id);
      if (person !== undefined && this.isDuplicate(id, person)) duplicates.add(person);
    }
    return duplicates;
  }

  ids(): Iterable<string> {
    return this.byId.keys();
  }

  get(id: string): Person | undefined {
    return this.byId.get(id);
  }

  /** The id of the entry of a person. */
  idOf({ username }: Person): string | undefined {
    return this.owners.get(username);
  }

  withUsername(username: string): Person | undefined {
    const name = canonicalName(username);
    const person = this.ownerOf(name);
    return person?.username === name ? person : undefined;
  }

  withSipAddress(address: string): Person | undefined {
    const known = canonicalName(address);
    const name = known.startsWith(SIP) ? known.slice(SIP.length) : known;
    const person = this.ownerOf(name);
    return person?.sipAddress.slice(SIP.length) === name ? person : undefined;
  }

  /** The ids of all entries with this username or SIP address without its scheme. */
  idsOf(name: string): readonly string[] {
    const owner = this.owners.get(name);
    return [...(this.contested.get(name) ?? (owner === undefined ? [] : [owner]))];
  }

  contactsOf(person: Person): readonly Person[] {
    return contactsAmong(this, person);
  }

  /** False when the person is unchanged. */
  put(id: string, read: Person): boolean {
    const before = this.byId.get(id);
    if (before !== undefined && isSame(before, read)) return false;
    const person = this.common.of(read);
    const names = uniquePersonNames(person);
    const namesBefore = before === undefined ? [] : uniquePersonNames(before);
    for (const name of namesBefore) if (!names.includes(name)) this.release(name, id);
    this.byId.set(id, person);
    for (const name of names) if (!namesBefore.includes(name)) this.claim(name, id);
    return true;
  }

  /** False when the id was unknown. */
  remove(id: string): boolean {
    const person = this.byId.get(id);
    if (person === undefined) return false;
    for (const name of uniquePersonNames(person)) this.release(name, id);
    return this.byId.delete(id);
  }

  private ownerOf(name: string): Person | undefined {
    const id = this.owners.get(name);
    const person = id === undefined ? undefined : this.byId.get(id);
    return id === undefined || person === undefined || this.isDuplicate(id, person) ? undefined : person;
  }

  private isDuplicate(id: string, person: Person): boolean {
    return this.contested.size > 0 && uniquePersonNames(person).some((name) => this.owners.get(name) !== id);
  }

  private claim(name: string, id: string): void {
    const owner = this.owners.get(name);
    if (owner === undefined) return void this.owners.set(name, id);
    const several = this.contested.get(name) ?? new Set([owner]);
    this.contested.set(name, several.add(id));
    if (id < owner) this.owners.set(name, id);
  }

  private release(name: string, id: string): void {
    const several = this.contested.get(name);
    if (several === undefined) return void this.owners.delete(name);
    several.delete(id);
    const [first] = [...several].toSorted();
    if (first !== undefined) this.owners.set(name, first);
    if (several.size === 1) this.contested.delete(name);
  }
}

function isSame(one: Person, other: Person): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
