import { canonicalName } from './address.js';
import type { Person } from './person.js';

export const SIP = 'sip:';

/** All people of a directory. It may change at any time; `Directory.onChange` reports that. */
export interface People {
  /** A list that does not change later. */
  readonly all: readonly Person[];
  /** The number of people. */
  readonly size: number;
  withUsername(username: string): Person | undefined;
  /** Accepts `sip:user@domain` and `user@domain`. */
  withSipAddress(address: string): Person | undefined;
  contactsOf(person: Person): readonly Person[];
}

/** People in a list that never changes. */
export class PeopleList implements People {
  private readonly byUsername: ReadonlyMap<string, Person>;
  private readonly bySipAddress: ReadonlyMap<string, Person>;

  constructor(readonly all: readonly Person[]) {
    this.byUsername = new Map(all.map((person) => [person.username, person]));
    this.bySipAddress = new Map(all.map((person) => [person.sipAddress, person]));
  }

  get size(): number {
    return this.all.length;
  }

  withUsername(username: string): Person | undefined {
    return this.byUsername.get(canonicalName(username));
  }

  withSipAddress(address: string): Person | undefined {
    const name = canonicalName(address);
    return this.bySipAddress.get(name.startsWith(SIP) ? name : SIP + name);
  }

  contactsOf(person: Person): readonly Person[] {
    return contactsAmong(this, person);
  }
}

export function contactsAmong(people: People, person: Person): readonly Person[] {
  return person.contacts.flatMap((username) => people.withUsername(username) ?? []);
}
