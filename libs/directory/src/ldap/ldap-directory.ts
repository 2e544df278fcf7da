import type { Logger } from '@ringdown/observability';
import { DirectoryUnavailable, type Account, type Directory, type People, type SignInResult } from '../people.js';
import type { Person } from '../person.js';
import type { Photo } from '../photo.js';
import { Following } from './following.js';
import type { LdapAccess } from './ldap-access.js';
import type { Change } from './ldap-changes.js';
import { DirectoryRefuses } from './ldap-failure.js';
import { LdapPeople } from './ldap-people.js';
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
  /** How often what has changed is read, milliseconds. */
  readonly refreshMs: number;
  /** How often everybody is read: only that shows who has left, milliseconds. */
  readonly fullRefreshMs: number;
}

const SHOWN = 5;
/** The directory has not told when: whatever it tells later is a change. */
const NEVER_SET = 0;

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
  private toldDoubles = '';
  private readonly listeners = new Set<(people: People) => void>();
  private readonly reading: ReadingThread;
  private readonly following: Following;
  private readonly rechecks: Rechecks;

  private constructor(private readonly options: LdapDirectoryOptions) {
    const { access, fullRefreshMs, refreshMs, logger } = options;
    this.reading = new ReadingThread({
      access,
      fullRefreshMs,
      take: (change) => this.take(change),
      known: () => this.known.ids(),
    });
    this.following = new Following({
      refresh: () => this.refresh(),
      refreshMs,
      logger,
      people: () => this.known.size,
    });
    this.rechecks = new Rechecks({ everyMs: refreshMs, check: (id) => this.readOne(id), logger });
  }

  /**
   * Reads everybody once. Throws {@link DirectoryRefuses} in one line when the directory answers that the settings are
   * wrong. One that cannot be reached is waited for in the background, and nobody is known until then.
   */
  static async open(options: LdapDirectoryOptions): Promise<LdapDirectory> {
    const directory = new LdapDirectory(options);
    try {
      await directory.refresh();
      directory.following.start();
    } catch (error) {
      if (!(error instanceof DirectoryUnavailable) || error instanceof DirectoryRefuses) {
        await directory.close();
        throw error;
      }
      directory.following.start(error);
    }
    return directory;
  }

  get people(): People {
    if (!this.complete) throw this.notRead();
    return this.known;
  }

  get problem(): string | undefined {
    return this.following.trouble;
  }

  onChange(listener: (people: People) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  async account(name: string): Promise<Account> {
    // Nobody is signed in whose token could not be recognised afterwards.
    if (!this.complete) throw this.notRead();
    const found = await this.options.signIn.find(name);
    return {
      id: found?.id,
      signIn: (password) => this.signIn(found, password),
      refuse: async () => {
        await this.options.signIn.check(undefined, '');
        return undefined;
      },
    };
  }

  /** The clock is that of the directory alone: who was not read again yet is known with an older time, never a newer one. */
  hasPasswordOf({ passwordSetAt }: Person, { mark, at }: { mark?: string | undefined; at: number }): Promise<boolean> {
    return Promise.resolve(passwordSetAt === undefined || passwordSetAt <= Number(mark ?? at));
  }

  isInUse(person: Person): void {
    const id = this.known.idOf(person);
    if (id !== undefined) this.rechecks.want(id);
  }

  photoOf(person: Person): Promise<Photo | undefined> {
    return this.options.photos.of(person);
  }

  async close(): Promise<void> {
    this.following.stop();
    this.options.signIn.close();
    await this.rechecks.close();
    await this.options.service.close();
    await this.reading.close();
    await this.following.ended;
  }

  private async signIn(found: LdapPerson | undefined, password: string): Promise<SignInResult | undefined> {
    if (!(await this.options.signIn.check(found, password)) || found === undefined) return undefined;
    if (this.known.get(found.id)?.username !== found.person.username) this.takeBySignIn(found);
    // Their entry may have lost a quarrel about a name; nobody becomes the one who won it.
    const person = this.known.withUsername(found.person.username);
    if (person === undefined || person !== this.known.get(found.id)) return undefined;
    return { person, passwordMark: String(found.person.passwordSetAt ?? NEVER_SET) };
  }

  private async refresh(): Promise<void> {
    try {
      const { all, leftOut } = await this.reading.read(this.complete);
      if (all && !this.complete) this.told = false;
      this.complete ||= all;
      if (leftOut > 0) this.options.logger.debug({ leftOut }, 'entries without a usable username were left out');
    } finally {
      if (this.complete) this.tell();
    }
  }

  /** Their groups are read with everybody's alone. */
  private async readOne(id: string): Promise<void> {
    const before = this.known.get(id);
    if (before === undefined) return;
    const { service, reader } = this.options;
    const found = await service.use((connection) => reader.person(connection, id, before.username));
    if (found === undefined) this.known.remove(id);
    else if (!this.known.put(id, { ...found.person, roles: before.roles })) return;
    // Whatever they are like when they are read next, it is a change.
    this.reading.know(id);
    this.told = false;
    this.tell();
  }

  private take({ put, removed }: Change): void {
    for (const { id, person } of put) if (this.known.put(id, person)) this.told = false;
    for (const id of removed) if (this.known.remove(id)) this.told = false;
  }

  /** They came, or were renamed, after the last reading; so their groups have not been read since either. */
  private takeBySignIn({ id, person }: LdapPerson): void {
    this.reading.know(id);
    this.take({ put: [{ id, person: { ...person, roles: this.known.get(id)?.roles ?? person.roles } }], removed: [] });
    this.tell();
  }

  /** Tells everybody of what has changed, if anything has: most of the time that is only what was read last time. */
  private tell(): void {
    if (this.told) return;
    this.told = true;
    this.tellDoubles(this.known.doubles);
    this.options.logger.info({ people: this.known.size }, 'read the people from the directory');
    for (const listener of this.listeners) listener(this.known);
  }

  private tellDoubles(doubles: ReadonlySet<Person>): void {
    const usernames = Array.from(doubles, ({ username }) => username);
    const shown = usernames.toSorted().slice(0, SHOWN).join(', ');
    if (doubles.size > 0 && shown !== this.toldDoubles) {
      this.options.logger.warn(
        { entries: doubles.size, for: shown },
        'entries with the username or SIP address of another were left out',
      );
    }
    this.toldDoubles = shown;
  }

  private notRead(): DirectoryUnavailable {
    return new DirectoryUnavailable(`the directory has not been read yet: ${this.problem ?? 'it is being read'}`);
  }
}
