import type { Person } from './person.js';

const SIP = 'sip:';

/** Everybody in the directory at one moment. A change of the directory makes a new one. */
export class People {
  private readonly byUsername = new Map<string, Person>();
  /** Only those whose address is not their username: most people need no second place. */
  private readonly byOtherAddress = new Map<string, Person>();

  constructor(readonly all: readonly Person[]) {
    for (const person of all) {
      this.byUsername.set(person.username, person);
      const address = person.sipAddress.slice(SIP.length);
      if (address !== person.username) this.byOtherAddress.set(address, person);
    }
  }

  withUsername(username: string): Person | undefined {
    return this.byUsername.get(username.toLowerCase());
  }

  /** Takes `sip:user@domain` as well as `user@domain`. */
  withSipAddress(address: string): Person | undefined {
    const lower = address.toLowerCase();
    const wanted = lower.startsWith(SIP) ? lower.slice(SIP.length) : lower;
    const other = this.byOtherAddress.get(wanted);
    if (other !== undefined) return other;
    const person = this.byUsername.get(wanted);
    return person?.sipAddress.slice(SIP.length) === wanted ? person : undefined;
  }

  contactsOf(person: Person): readonly Person[] {
    return person.contacts.flatMap((username) => this.withUsername(username) ?? []);
  }
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
  /** Called with the new people after each change; returns the function that ends it. */
  onChange(listener: (people: People) => void): () => void;
  /**
   * The person with this username or SIP address, if the password is theirs. Unknown names take as long as wrong passwords.
   * Throws {@link DirectoryBusy} when more sign-ins wait than the directory can answer soon, and
   * {@link DirectoryUnavailable} when it does not answer: nobody is let in on what was known before.
   */
  authenticate(name: string, password: string): Promise<Person | undefined>;
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
