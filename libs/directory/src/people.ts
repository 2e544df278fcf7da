import { QueueFull } from '@ringdown/concurrency';
import { canonicalName } from './address.js';
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

/** Whose a sign-in name is. Nobody's looks and takes as long as somebody's. */
export interface Account {
  /** The same whatever form of the name was given; undefined for a name that is nobody's. */
  readonly id: string | undefined;
  /** Undefined for a wrong password, and always for nobody's. */
  signIn(password: string): Promise<SignInResult | undefined>;
  /** Takes as long as {@link signIn} with a wrong password, and checks none. */
  refuse(): Promise<undefined>;
}

/** Somebody whose password was right. */
export interface SignInResult {
  readonly person: Person;
  /** Stands for the password that was right, without telling it; undefined where the directory tells nothing of passwords. */
  readonly passwordMark?: string | undefined;
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
   * Whose sign-in name this is: a username, a SIP address, or what else the directory knows people by. Throws
   * {@link DirectoryBusy} when more sign-ins wait than the directory can answer soon, and {@link DirectoryUnavailable}
   * when it does not answer: nobody is let in on what was known before. So do the methods of the account.
   */
  account(name: string): Promise<Account>;
  /**
   * False once the password has been changed since somebody signed in as this person: `mark` is what {@link SignInResult}
   * said then, `at` when that was.
   */
  hasPasswordOf(
    person: Person,
    signedIn: { readonly mark?: string | undefined; readonly at: number },
  ): Promise<boolean>;
  /**
   * Says that somebody acts right now: a directory that learns late who has left looks after them in the background, and
   * tells of it as of any change.
   */
  isInUse(person: Person): void;
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

/** For what rejects with {@link QueueFull}. */
export function busyWhenFull(error: unknown): never {
  throw error instanceof QueueFull ? new DirectoryBusy(1) : error;
}

/** The directory cannot be asked right now, and that says nothing about any name or password. */
export class DirectoryUnavailable extends Error {
  override readonly name = 'DirectoryUnavailable';
  /** What a web interface answers, and when it says to come back, where nobody handles this error. */
  readonly statusCode = 503;
  readonly retryAfterSeconds = 5;
}
