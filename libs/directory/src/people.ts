import type { Person } from './person.js';
import type { Photo } from './photo.js';

export const SIP = 'sip:';

/** Everybody in a directory. It may change at any time; `Directory.onChange` tells. */
export interface People {
  /** A list of its own, which does not change. */
  readonly all: readonly Person[];
  /** How many they are. */
  readonly size: number;
  withUsername(username: string): Person | undefined;
  /** Takes `sip:user@domain` as well as `user@domain`. */
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
    return this.byUsername.get(username.toLowerCase());
  }

  withSipAddress(address: string): Person | undefined {
    const lower = address.toLowerCase();
    return this.bySipAddress.get(lower.startsWith(SIP) ? lower : SIP + lower);
  }

  contactsOf(person: Person): readonly Person[] {
    return contactsAmong(this, person);
  }
}

export function contactsAmong(people: People, person: Person): readonly Person[] {
  return person.contacts.flatMap((username) => people.withUsername(username) ?? []);
}

/** Where people and their passwords come from. */
export interface Directory {
  /** Throws {@link DirectoryUnavailable} as long as nobody could be read yet; later it is the last good state. */
  readonly people: People;
  /**
   * Why `people` may be out of date, in one line for the operator; undefined while they are not. No reason to take the
   * service out of rotation: the people of before are still served.
   */
  readonly problem: string | undefined;
  /** Called with the people after each change; returns the function that ends it. */
  onChange(listener: (people: People) => void): () => void;
  /**
   * The person with this username or SIP address, if the password is theirs. Unknown names take as long as wrong passwords.
   * Throws {@link DirectoryBusy} when more sign-ins wait than the directory can answer soon, and
   * {@link DirectoryUnavailable} when it does not answer: nobody is let in on what was known before.
   */
  authenticate(name: string, password: string): Promise<Person | undefined>;
  /** Undefined when there is none that can be shown. Throws {@link DirectoryUnavailable} when it does not answer. */
  photoOf(person: Person): Promise<Photo | undefined>;
  close(): Promise<void>;
}

/** More passwords wait to be checked than is sensible; the caller should come back later. */
export class DirectoryBusy extends Error {
  override readonly name = 'DirectoryBusy';
  constructor(readonly retryAfterSeconds: number) {
    super('too many passwords are being checked');
  }
}

/** The directory cannot be asked right now, and that says nothing about any name or password. */
export class DirectoryUnavailable extends Error {
  override readonly name = 'DirectoryUnavailable';
  /** What a web interface answers, and when it says to come back, where nobody handles this error. */
  readonly statusCode = 503;
  readonly retryAfterSeconds = 5;
}
