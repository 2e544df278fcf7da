import type { Logger } from '@ringdown/observability';
import { setImmediate as afterOthers, setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { DirectoryUnavailable, type Directory, type People } from '../people.js';
import type { Person, Role } from '../person.js';
import type { Photo } from '../photo.js';
import type { LdapConnection } from './ldap-connection.js';
import { DirectoryRefuses } from './ldap-failure.js';
import type { LdapPerson } from './ldap-person.js';
import type { LdapReader } from './ldap-reader.js';
import type { LdapSignIn } from './ldap-sign-in.js';
import { LdapPeople } from './ldap-people.js';
import type { LdapPhotos } from './ldap-photos.js';
import { movedBy } from './ldap-time.js';
import type { ServiceConnection } from './service-connection.js';

export interface LdapDirectoryOptions {
  readonly service: ServiceConnection;
  readonly reader: LdapReader;
  readonly signIn: LdapSignIn;
  readonly photos: LdapPhotos;
  readonly logger: Logger;
  /** How often what has changed is read, milliseconds. */
  readonly refreshMs: number;
  /** How often everybody is read: only that shows who has left, milliseconds. */
  readonly fullRefreshMs: number;
}

/** After a failure the directory is tried again soon, then ever more rarely, milliseconds. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** Replicas hear of changes late: for so long what was changed before the newest change is read once more, seconds. */
const OVERLAP_SECONDS = 60;
const SHOWN = 5;
/** How many people are taken up, or looked at, before everybody else has a turn. */
const AT_ONCE = 50;
const MANY = 5_000;

const USER: readonly Role[] = ['user'];
const OPERATOR: readonly Role[] = ['user', 'operator'];
const REVEALER: readonly Role[] = ['user', 'reveal'];
const OPERATOR_AND_REVEALER: readonly Role[] = ['user', 'operator', 'reveal'];

/**
 * The people of an LDAP directory. They are read as a whole and then followed, so that nobody who is looked up waits for
 * the directory and everybody is still found while it is down; passwords are always checked by the directory itself.
 */
export class LdapDirectory implements Directory {
  private readonly known = new LdapPeople();
  /** Whether everybody has been read once. */
  private complete = false;
  /** Whether somebody was told of all that `known` holds. */
  private told = true;
  private operators: ReadonlySet<string> = new Set();
  private revealers: ReadonlySet<string> = new Set();
  /** When the newest of the entries was changed, in the server's own writing. */
  private newest: string | undefined;
  private newestSeenAt = 0;
  /** Who has been seen by a reading of everybody that is under way. */
  private seen: Set<string> | undefined;
  private trouble: string | undefined;
  private fullReadAt = Number.NEGATIVE_INFINITY;
  private toldDoubles = '';
  private readonly listeners = new Set<(people: People) => void>();
  private readonly closing = new AbortController();
  private following: Promise<void> = Promise.resolve();

  private constructor(private readonly options: LdapDirectoryOptions) {}

  /**
   * Reads everybody once. Throws {@link DirectoryRefuses} in one line when the directory answers that the settings are
   * wrong. One that cannot be reached is waited for in the background, and nobody is known until then.
   */
  static async open(options: LdapDirectoryOptions): Promise<LdapDirectory> {
    const directory = new LdapDirectory(options);
    try {
      await directory.refresh();
    } catch (error) {
      if (!(error instanceof DirectoryUnavailable) || error instanceof DirectoryRefuses) {
        await directory.close();
        throw error;
      }
      directory.failed(error);
    }
    directory.following = directory.follow();
    return directory;
  }

  get people(): People {
    if (!this.complete) throw this.notRead();
    return this.known;
  }

  get problem(): string | undefined {
    return this.trouble;
  }

  onChange(listener: (people: People) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async authenticate(name: string, password: string): Promise<Person | undefined> {
    // Nobody is signed in whose token could not be recognised afterwards.
    if (!this.complete) throw this.notRead();
    const found = await this.options.signIn.check(name, password);
    if (found === undefined) return undefined;
    if (this.known.get(found.id)?.username !== found.person.username) {
      // They came, or were renamed, after the last reading.
      this.put(found);
      this.tell();
    }
    // Their entry may have lost a quarrel about a name; nobody becomes the one who won it.
    const person = this.known.withUsername(found.person.username);
    return person !== undefined && person === this.known.get(found.id) ? person : undefined;
  }

  photoOf(person: Person): Promise<Photo | undefined> {
    return this.options.photos.of(person);
  }

  async close(): Promise<void> {
    this.closing.abort();
    this.options.signIn.close();
    await this.options.service.close();
    await this.following;
  }

  private async follow(): Promise<void> {
    const { refreshMs } = this.options;
    let retryMs = FIRST_RETRY_MS;
    for (;;) {
      try {
        await sleep(this.trouble === undefined ? refreshMs : retryMs, undefined, { signal: this.closing.signal });
      } catch {
        return;
      }
      retryMs = this.trouble === undefined ? FIRST_RETRY_MS : Math.min(retryMs * 2, MAX_RETRY_MS);
      try {
        await this.refresh();
        this.recovered();
      } catch (error) {
        if (this.closing.signal.aborted) return;
        this.failed(error);
      }
    }
  }

  private async refresh(): Promise<void> {
    const { service, fullRefreshMs } = this.options;
    const started = performance.now();
    const since = this.changedSince();
    const all = !this.complete || since === undefined || started - this.fullReadAt >= fullRefreshMs;
    try {
      await service.use((connection) => (all ? this.readAll(connection) : this.readChanged(connection, since)));
    } finally {
      if (this.complete) this.tell();
    }
    if (all) this.fullReadAt = started;
  }

  /** From when on changes are to be read; undefined when they cannot be followed. */
  private changedSince(): string | undefined {
    if (this.newest === undefined) return undefined;
    const isSettled = performance.now() - this.newestSeenAt > OVERLAP_SECONDS * 1000;
    return movedBy(this.newest, isSettled ? 1 : -OVERLAP_SECONDS);
  }

  /** What was read of a reading that fails in the middle is true all the same; only who is missing proves nothing. */
  private async readAll(connection: LdapConnection): Promise<void> {
    const { reader, logger } = this.options;
    const seen = new Set<string>();
    this.seen = seen;
    try {
      this.operators = await reader.operators(connection);
      this.revealers = await reader.revealers(connection);
      let leftOut = 0;
      for await (const page of reader.people(connection, { since: undefined, calm: this.complete })) {
        await this.putAll(page.people);
        leftOut += page.leftOut;
      }
      // A right that was taken away looks like this, a base that was moved too; that everybody has left does not happen.
      if (seen.size === 0 && this.known.size > 0) {
        throw new DirectoryRefuses('the directory shows nobody any more');
      }
      await this.removeAllBut(seen);
      if (!this.complete) this.told = false;
      this.complete = true;
      if (leftOut > 0) logger.debug({ leftOut }, 'entries without a usable username were left out');
    } finally {
      this.seen = undefined;
    }
  }

  private async readChanged(connection: LdapConnection, since: string | undefined): Promise<void> {
    for await (const page of this.options.reader.people(connection, { since, calm: true })) {
      await this.putAll(page.people);
    }
  }

  private async putAll(people: readonly LdapPerson[]): Promise<void> {
    for (const [at, person] of people.entries()) {
      this.put(person);
      this.note(person.changed);
      if (at % AT_ONCE === 0) await afterOthers();
    }
  }

  private note(changed: string | undefined): void {
    if (changed === undefined || (this.newest !== undefined && changed <= this.newest)) return;
    this.newest = changed;
    this.newestSeenAt = performance.now();
  }

  private put({ id, person }: LdapPerson): void {
    this.seen?.add(id);
    if (this.known.put(id, { ...person, roles: this.rolesOf(id) })) this.told = false;
  }

  /** One list for all with the same roles: there may be very many people. */
  private rolesOf(id: string): readonly Role[] {
    if (this.revealers.has(id)) return this.operators.has(id) ? OPERATOR_AND_REVEALER : REVEALER;
    return this.operators.has(id) ? OPERATOR : USER;
  }

  private async removeAllBut(seen: ReadonlySet<string>): Promise<void> {
    let at = 0;
    for (const id of this.known.ids()) {
      if (!seen.has(id)) {
        this.known.remove(id);
        this.told = false;
      }
      if (++at % MANY === 0) await afterOthers();
    }
  }

  /** Tells everybody of what has changed, if anything has: most of the time that is only what was read last time. */
  private tell(): void {
    if (this.told) return;
    this.told = true;
    this.tellDoubles(this.known.doubles);
    this.options.logger.info({ people: this.known.size }, 'read the people from the directory');
    for (const listener of this.listeners) listener(this.known);
  }

  private tellDoubles(doubles: readonly string[]): void {
    const shown = doubles.toSorted().slice(0, SHOWN).join(', ');
    if (doubles.length > 0 && shown !== this.toldDoubles) {
      this.options.logger.warn(
        { entries: doubles.length, for: shown },
        'entries with the username or SIP address of another were left out',
      );
    }
    this.toldDoubles = shown;
  }

  private notRead(): DirectoryUnavailable {
    return new DirectoryUnavailable(`the directory has not been read yet: ${this.trouble ?? 'it is being read'}`);
  }

  private failed(error: unknown): void {
    const reason = isNativeError(error) ? error.message : String(error);
    if (reason !== this.trouble) {
      const told = { reason, people: this.known.size };
      this.options.logger.error(told, 'the directory cannot be read; the people stay as they were');
    }
    this.trouble = reason;
  }

  private recovered(): void {
    if (this.trouble !== undefined) this.options.logger.info('the directory can be read again');
    this.trouble = undefined;
  }
}
