import { QueueFull } from '@ringdown/concurrency';
import type { PeopleEditor } from './people-editor.js';
import type { People } from './people.js';
import type { Person } from './person.js';
import type { Photo } from '../photos/photo.js';
import type { Removal } from './stored-removal.js';
import type { Rename } from './stored-rename.js';

/** The account of a sign-in name. Unknown names behave the same and take the same time as known ones. */
export interface Account {
  /** The same for every form of the name; undefined for an unknown name. */
  readonly id: string | undefined;
  /** Undefined for a wrong password, and always for an unknown name. */
  signIn(password: string): Promise<SignInResult | undefined>;
  /** Takes as long as {@link signIn} with a wrong password, without checking one. */
  reject(): Promise<undefined>;
}

/** The result of a sign-in with the right password. */
export interface SignInResult {
  readonly person: Person;
  /** Identifies the password without revealing it; undefined if the directory gives no information about passwords. */
  readonly passwordMark?: string | undefined;
}

/** The source of people and their passwords. */
export interface Directory {
  /** Throws {@link DirectoryUnavailable} until the people were read once; later it is the last state that was read. */
  readonly people: People;
  /**
   * Why `people` may be outdated, in one line for the operator; undefined if they are not. The service stays in
   * rotation, because the last known people are still served.
   */
  readonly problem: string | undefined;
  /** The people who were renamed, as far as the directory knows that; also those whose rename is not finished. */
  readonly renames?: Iterable<Rename> | undefined;
  /** The people who were removed, as far as the directory knows that; also those whose removal is not finished. */
  readonly removals?: Iterable<Removal> | undefined;
  /** Called with the people after each change; returns the function that unsubscribes. */
  onChange(listener: (people: People) => void): () => void;
  /**
   * The account of a sign-in name: a username, a SIP address, or another name that the directory accepts. Throws
   * {@link DirectoryBusy} when more sign-ins wait than the directory can handle soon, and {@link DirectoryUnavailable}
   * when it does not respond: earlier results are never used for a sign-in. So do the methods of the account.
   */
  account(name: string): Promise<Account>;
  /**
   * False if the password was changed since the person signed in: `mark` is that of {@link SignInResult}, `at` the time
   * of the sign-in.
   */
  hasPasswordOf(
    person: Person,
    signedIn: { readonly mark?: string | undefined; readonly at: number },
  ): Promise<boolean>;
  /**
   * Identifies the present sessions of a person who signed in elsewhere; it changes when an administrator ends them.
   * Undefined for a person who is blocked.
   */
  sessionMark(person: Person): string | undefined;
  /** Whether the sessions with this mark, begun at this time, have not been ended. */
  hasSessionOf(person: Person, session: { readonly mark: string; readonly at: number }): Promise<boolean>;
  /**
   * Reports that a person is active now: a directory that learns late who was removed rechecks the person in the
   * background, and reports a removal like any other change.
   */
  isInUse(person: Person): void;
  /** Changes the people; undefined where the service only reads them (a file, a directory server). */
  readonly editor?: PeopleEditor | undefined;
  /**
   * Undefined when there is no photo that can be shown. Throws {@link DirectoryUnavailable} when there is no response.
   */
  photoOf(person: Person): Promise<Photo | undefined>;
  /** Deletes the photo of a removed person if it is a file here, and not of a later person with the same username. */
  deletePhotoOf?(removal: Removal): Promise<void>;
  close(): Promise<void>;
}

/** The queue of password checks is full; the caller should retry later. */
export class DirectoryBusy extends Error {
  override readonly name = 'DirectoryBusy';
  constructor(readonly retryAfterSeconds: number) {
    super('too many passwords are being checked');
  }
}

/** Converts {@link QueueFull} into {@link DirectoryBusy}. */
export function busyWhenFull(error: unknown): never {
  throw error instanceof QueueFull ? new DirectoryBusy(1) : error;
}

/** The directory does not respond now, which proves nothing about any name or password. */
export class DirectoryUnavailable extends Error {
  override readonly name = 'DirectoryUnavailable';
  /** The status and retry time that a web interface responds with if no other code handles this error. */
  readonly statusCode = 503;
  readonly retryAfterSeconds = 5;
}
