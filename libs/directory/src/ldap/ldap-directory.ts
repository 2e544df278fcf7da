import type { Logger } from '@ringdown/observability';
import { DirectoryUnavailable, type Account, type Directory, type SignInResult } from '../people/directory.js';
import type { People } from '../people/people.js';
import type { Person } from '../people/person.js';
import type { Photo } from '../photos/photo.js';
import { RefreshLoop } from './refresh-loop.js';
import type { LdapAccess } from './ldap-access.js';
import type { Change } from './ldap-changes.js';
import { DirectoryRequestRejected } from './ldap-failure.js';
import { PeopleById } from '../people/people-by-id.js';
import type { LdapPerson } from './ldap-person.js';
import type { LdapPhotos } from './ldap-photos.js';
import type { LdapSignIn } from './ldap-sign-in.js';
import type { LdapReader } from './ldap-reader.js';
import { ReadingThread } from './reading-thread.js';
import { Rechecks } from './rechecks.js';
import type { ServiceConnection } from './service-connection.js';

export interface LdapDirectoryOptions {
  readonly access: LdapAccess;
  readonly service: ServiceConnection;
  readonly reader: LdapReader;
  readonly signIn: LdapSignIn;
  readonly photos: LdapPhotos;
  readonly logger: Logger;
  /** Interval at which changes are read, milliseconds. */
  readonly refreshMs: number;
  /** Interval of complete readings, milliseconds: only they detect people who were removed. */
  readonly fullRefreshMs: number;
}

const MAX_LOGGED_NAMES = 5;
/** The directory has not reported a time: any time that it reports later is a change. */
const NEVER_SET = 0;

/**
 * The people of an LDAP directory. They are read completely and then kept up to date, so that lookups do not wait for
 * the directory and work while it is down; passwords are always checked by the directory itself.
 */
export class LdapDirectory implements Directory {
  private readonly known = new PeopleById();
  /** Whether all people have been read once. */
  private complete = false;
  /** Whether the listeners were notified of all changes in `known`. */
  private notified = true;
  private loggedDuplicates = '';
  private readonly listeners = new Set<(people: People) => void>();
  private readonly reading: ReadingThread;
  private readonly refreshLoop: RefreshLoop;
  private readonly rechecks: Rechecks;

  private constructor(private readonly options: LdapDirectoryOptions) {
    const { access, fullRefreshMs, refreshMs, logger } = options;
    this.reading = new ReadingThread({
      access,
      fullRefreshMs,
      apply: (change) => this.apply(change),
      known: () => this.known.ids(),
    });
    this.refreshLoop = new RefreshLoop({
      refresh: () => this.refresh(),
      refreshMs,
      logger,
      people: () => this.known.size,
    });
    this.rechecks = new Rechecks({ everyMs: refreshMs, check: (id) => this.readOne(id), logger });
  }

  /**
   * Reads all people once. Throws {@link DirectoryRequestRejected} with a one-line message when the response of the directory
   * shows that the settings are wrong. One that cannot be reached is retried in the background; until then no person is
   * known.
   */
  static async open(options: LdapDirectoryOptions): Promise<LdapDirectory> {
    const directory = new LdapDirectory(options);
    try {
      await directory.refresh();
      directory.refreshLoop.start();
    } catch (error) {
      if (!(error instanceof DirectoryUnavailable) || error instanceof DirectoryRequestRejected) {
        await directory.close();
        throw error;
      }
      directory.refreshLoop.start(error);
    }
    return directory;
  }

  get people(): People {
    if (!this.complete) throw this.notReadError();
    return this.known;
  }

  get problem(): string | undefined {
    return this.refreshLoop.problem;
  }

  onChange(listener: (people: People) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async account(name: string): Promise<Account> {
    // No sign-in before the first reading, because the token could not be matched to a person afterwards.
    if (!this.complete) throw this.notReadError();
    const found = await this.options.signIn.find(name);
    return {
      id: found?.id,
      signIn: (password) => this.signIn(found, password),
      reject: async () => {
        await this.options.signIn.check(undefined, '');
        return undefined;
      },
    };
  }

  /** Uses only the clock of the directory: a person not read again yet has an older time, never a newer one. */
  hasPasswordOf({ passwordSetAt }: Person, { mark, at }: { mark?: string | undefined; at: number }): Promise<boolean> {
    return Promise.resolve(passwordSetAt === undefined || passwordSetAt <= Number(mark ?? at));
  }

  /** Always the same: the directory lists only people who may sign in. */
  sessionMark(): string {
    return 'present';
  }

  hasSessionOf(): Promise<boolean> {
    return Promise.resolve(true);
  }

  isInUse(person: Person): void {
    const id = this.known.idOf(person);
    if (id !== undefined) this.rechecks.schedule(id);
  }

  photoOf(person: Person): Promise<Photo | undefined> {
    return this.options.photos.of(person);
  }

  async close(): Promise<void> {
    this.refreshLoop.stop();
    this.options.signIn.close();
    await this.rechecks.close();
    await this.options.service.close();
    await this.reading.close();
    await this.refreshLoop.ended;
  }

  private async signIn(found: LdapPerson | undefined, password: string): Promise<SignInResult | undefined> {
    if (!(await this.options.signIn.check(found, password)) || found === undefined) return undefined;
    if (this.known.get(found.id)?.username !== found.person.username) this.applySignIn(found);
    // Another entry may own the same username; then the sign-in must not be accepted as that person.
    const person = this.known.withUsername(found.person.username);
    if (person === undefined || person !== this.known.get(found.id)) return undefined;
    return { person, passwordMark: String(found.person.passwordSetAt ?? NEVER_SET) };
  }

  private async refresh(): Promise<void> {
    try {
      const { all, skipped } = await this.reading.read(this.complete);
      if (all && !this.complete) this.notified = false;
      this.complete ||= all;
      if (skipped > 0) this.options.logger.debug({ skipped }, 'ignored entries without a usable username');
    } finally {
      if (this.complete) this.notifyListeners();
    }
  }

  /** Groups are only read in complete readings. */
  private async readOne(id: string): Promise<void> {
    const before = this.known.get(id);
    if (before === undefined) return;
    const { service, reader } = this.options;
    const found = await service.use((connection) => reader.person(connection, id, before.username));
    if (found === undefined) this.known.remove(id);
    else if (!this.known.put(id, { ...found.person, roles: before.roles })) return;
    // Its next state is a change, whatever it is.
    this.reading.markKnown(id);
    this.notified = false;
    this.notifyListeners();
  }

  private apply({ put, removed }: Change): void {
    for (const { id, person } of put) if (this.known.put(id, person)) this.notified = false;
    for (const id of removed) if (this.known.remove(id)) this.notified = false;
  }

  /** A person who was added or renamed after the last reading; the groups have not been read since either. */
  private applySignIn({ id, person }: LdapPerson): void {
    this.reading.markKnown(id);
    this.apply({ put: [{ id, person: { ...person, roles: this.known.get(id)?.roles ?? person.roles } }], removed: [] });
    this.notifyListeners();
  }

  /** Notifies the listeners of changes, if any: most readings find only what was read before. */
  private notifyListeners(): void {
    if (this.notified) return;
    this.notified = true;
    this.logDuplicates(this.known.duplicates);
    this.options.logger.info({ people: this.known.size }, 'read the people from the directory');
    for (const listener of this.listeners) listener(this.known);
  }

  private logDuplicates(duplicates: ReadonlySet<Person>): void {
    const usernames = Array.from(duplicates, ({ username }) => username);
    const shown = usernames.toSorted().slice(0, MAX_LOGGED_NAMES).join(', ');
    if (duplicates.size > 0 && shown !== this.loggedDuplicates) {
      this.options.logger.warn(
        { entries: duplicates.size, for: shown },
        'ignored entries with the username or SIP address of another entry',
      );
    }
    this.loggedDuplicates = shown;
  }

  private notReadError(): DirectoryUnavailable {
    return new DirectoryUnavailable(
      `the directory has not been read yet: ${this.problem ?? 'the first reading is running'}`,
    );
  }
}
