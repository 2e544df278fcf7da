import { People } from '../people.js';
import type { Person, Role } from '../person.js';
import type { LdapPerson } from './ldap-person.js';

const USER: readonly Role[] = ['user'];
const OPERATOR: readonly Role[] = ['user', 'operator'];

/** Everybody who has been read, by the id of their entry. */
export class LdapSnapshot {
  private readonly byId: Map<string, Person>;
  /** When the newest of the entries was changed, in the server's own writing. */
  newest: string | undefined;

  private constructor(
    private readonly operators: ReadonlySet<string>,
    before?: LdapSnapshot,
  ) {
    this.byId = new Map(before?.byId);
    this.newest = before?.newest;
  }

  static empty(operators: ReadonlySet<string>): LdapSnapshot {
    return new LdapSnapshot(operators);
  }

  /** One that goes on from this one: this one stays as it is. */
  copy(): LdapSnapshot {
    return new LdapSnapshot(this.operators, this);
  }

  get size(): number {
    return this.byId.size;
  }

  get(id: string): Person | undefined {
    return this.byId.get(id);
  }

  /** The person as this snapshot would have them; somebody it has already is that same object. */
  seen({ id, person }: LdapPerson): Person {
    const known = this.byId.get(id);
    const now = { ...person, roles: this.operators.has(id) ? OPERATOR : USER };
    return known !== undefined && isSame(known, now) ? known : now;
  }

  /** People who are the same as in `before` stay the same objects: nothing is kept twice, and changes are seen. */
  add(found: LdapPerson, before?: LdapSnapshot): void {
    const now = this.seen(found);
    const known = before?.byId.get(found.id);
    this.byId.set(found.id, known !== undefined && isSame(known, now) ? known : now);
    this.note(found);
  }

  /** Remembers when the newest entry was changed. */
  note({ changed }: LdapPerson): void {
    if (changed !== undefined && (this.newest === undefined || changed > this.newest)) this.newest = changed;
  }

  /** Whether both hold the same people, as far as {@link add} could see. */
  equals(other: LdapSnapshot): boolean {
    if (this.size !== other.size) return false;
    for (const [id, person] of this.byId) if (other.byId.get(id) !== person) return false;
    return true;
  }

  /**
   * All whose username and SIP address are theirs alone. Of several with the same the first by id stays, on every replica
   * and after every start the same one; the others are told.
   */
  people(): { people: People; doubles: string[] } {
    const owners = new Map<string, string>();
    for (const [id, person] of this.byId) {
      for (const name of namesOf(person)) {
        const owner = owners.get(name);
        if (owner === undefined || id < owner) owners.set(name, id);
      }
    }
    const doubles: string[] = [];
    const all: Person[] = [];
    for (const [id, person] of this.byId) {
      if (namesOf(person).every((name) => owners.get(name) === id)) all.push(person);
      else doubles.push(person.username);
    }
    return { people: new People(all), doubles };
  }
}

/** What nobody else may be called: the username, and the SIP address where it is another. */
function namesOf({ username, sipAddress }: Person): readonly string[] {
  const address = sipAddress.slice('sip:'.length);
  return address === username ? [username] : [username, address];
}

function isSame(one: Person, other: Person): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
