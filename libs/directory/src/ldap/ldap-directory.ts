import type { Logger } from '@ringdown/observability';
import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { DirectoryUnavailable, type Directory, type People } from '../people.js';
import type { Person } from '../person.js';
import type { LdapConnection } from './ldap-connection.js';
import { DirectoryRefuses } from './ldap-failure.js';
import type { LdapPerson } from './ldap-person.js';
import type { LdapReader } from './ldap-reader.js';
import type { LdapSignIn } from './ldap-sign-in.js';
import { LdapSnapshot } from './ldap-snapshot.js';
import { earlier } from './ldap-time.js';
import type { ServiceConnection } from './service-connection.js';

export interface LdapDirectoryOptions {
  readonly service: ServiceConnection;
  readonly reader: LdapReader;
  readonly signIn: LdapSignIn;
  readonly logger: Logger;
  /** How often what has changed is read, milliseconds. */
  readonly refreshMs: number;
  /** How often everybody is read: only that shows who has left, milliseconds. */
  readonly fullRefreshMs: number;
}

/** After a failure the directory is tried again soon, then ever more rarely, milliseconds. */
const FIRST_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;
/** Replicas hear of changes late: what was changed this long before the newest change is read once more, seconds. */
const OVERLAP_SECONDS = 60;
const SHOWN = 5;

/**
 * The people of an LDAP directory. They are read as a whole and then followed, so that nobody who is looked up waits for
 * the directory and everybody is still found while it is down; passwords are always checked by the directory itself.
 */
export class LdapDirectory implements Directory {
  private snapshot: LdapSnapshot | undefined;
  private current: People | undefined;
  private trouble: string | undefined;
  private fullReadAt = Number.NEGATIVE_INFINITY;
  private toldDoubles = '';
  /** Who signed in before a reading knew them; a reading that is under way may miss them. */
  private learned: LdapPerson[] = [];
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
    if (this.current === undefined) throw this.notRead();
    return this.current;
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
    if (this.current === undefined) throw this.notRead();
    const found = await this.options.signIn.check(name, password);
    if (found === undefined) return undefined;
    const known = this.snapshot?.get(found.id);
    if (known?.username !== found.person.username) {
      // They came, or were renamed, after the last reading.
      const late = { ...found, changed: undefined };
      this.learned.push(late);
      this.add([late]);
    }
    // Their entry may have lost a quarrel about a name; nobody becomes the one who won it.
    const person = this.people.withUsername(found.person.username);
    return person !== undefined && person === this.snapshot?.get(found.id) ? person : undefined;
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
    const newest = this.snapshot?.newest;
    const since = newest === undefined ? undefined : earlier(newest, OVERLAP_SECONDS);
    if (since === undefined || started - this.fullReadAt >= fullRefreshMs) {
      this.learned = [];
      this.take(await service.use((connection) => this.readAll(connection)));
      this.fullReadAt = started;
    } else {
      const changed = await service.use((connection) => this.readChanged(connection, since));
      this.add(changed);
    }
  }

  private async readAll(connection: LdapConnection): Promise<LdapSnapshot> {
    const { reader, logger } = this.options;
    const before = this.snapshot;
    const next = LdapSnapshot.empty(await reader.operators(connection));
    let leftOut = 0;
    for await (const page of reader.people(connection)) {
      for (const person of page.people) next.add(person, before);
      leftOut += page.leftOut;
    }
    // A right that was taken away looks like this, a base that was moved too; that everybody has left does not happen.
    if (next.size === 0 && before !== undefined && before.size > 0) {
      throw new DirectoryRefuses('the directory shows nobody any more');
    }
    if (leftOut > 0) logger.debug({ leftOut }, 'entries without a usable username were left out');
    // Who signed in meanwhile may have come after their page was read.
    for (const person of this.learned) if (next.get(person.id) === undefined) next.add(person, before);
    return next;
  }

  private async readChanged(connection: LdapConnection, since: string): Promise<LdapPerson[]> {
    const changed: LdapPerson[] = [];
    for await (const page of this.options.reader.people(connection, since)) changed.push(...page.people);
    return changed;
  }

  /** Most of the time nothing has changed but what was changed last, and that is known. */
  private add(found: readonly LdapPerson[]): void {
    const { snapshot } = this;
    if (snapshot === undefined) return;
    for (const person of found) snapshot.note(person);
    if (found.every((person) => snapshot.seen(person) === snapshot.get(person.id))) return;
    const next = snapshot.copy();
    for (const person of found) next.add(person);
    this.take(next);
  }

  private take(next: LdapSnapshot): void {
    const unchanged = this.snapshot?.equals(next) ?? false;
    this.snapshot = next;
    if (unchanged) return;
    const { people, doubles } = next.people();
    this.current = people;
    this.tellDoubles(doubles);
    this.options.logger.info({ people: people.all.length }, 'read the people from the directory');
    for (const listener of this.listeners) listener(people);
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
      const people = this.current?.all.length ?? 0;
      const log = { reason, people };
      this.options.logger.error(log, 'the directory cannot be read; the people stay as they were');
    }
    this.trouble = reason;
  }

  private recovered(): void {
    if (this.trouble !== undefined) this.options.logger.info('the directory can be read again');
    this.trouble = undefined;
  }
}
