import { BoundedSemaphore } from '@ringdown/concurrency';
import type { Logger } from '@ringdown/observability';
import { EqualityFilter, OrFilter, type Filter } from 'ldapts';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { busyWhenFull } from '../people/directory.js';
import { LdapConnection, type LdapServer } from './ldap-connection.js';
import { RESULT } from './ldap-failure.js';
import type { EntryReader, LdapPerson } from './ldap-person.js';
import type { LdapReader } from './ldap-reader.js';
import { MAX_IDLE_MS, type ServiceConnection } from './service-connection.js';
import { UsualTime } from './usual-time.js';

export interface LdapSignInOptions {
  readonly server: LdapServer;
  readonly service: ServiceConnection;
  readonly reader: LdapReader;
  readonly entries: EntryReader;
  readonly baseDn: string;
  /** Attributes with the names that people enter. */
  readonly attributes: readonly string[];
  /** The attribute with `sip:user@domain`, if there is one. */
  readonly sipAttribute: string | undefined;
  /** The domain that may be omitted in a sign-in name. */
  readonly sipDomain: string;
  /** How many passwords are checked at the same time, each on its own connection. */
  readonly connections: number;
  readonly logger: Logger;
}

/** Maximum of waiting checks per connection. */
const QUEUE_PER_CONNECTION = 16;
/** Results that mean a wrong name or password, or an account that may not sign in. */
const REJECTIONS = new Set<number>([
  RESULT.constraintViolation,
  RESULT.noSuchObject,
  RESULT.inappropriateAuthentication,
  RESULT.invalidCredentials,
  RESULT.insufficientAccessRights,
  RESULT.unwillingToPerform,
]);

interface Idle {
  readonly connection: LdapConnection;
  readonly since: number;
}

/** Checks passwords in the standard way of LDAP: finds the entry of the name, then binds as that entry. */
export class LdapSignIn {
  private readonly searches: BoundedSemaphore;
  private readonly binds: BoundedSemaphore;
  private readonly idle: Idle[] = [];
  /** The usual time of a rejected password. */
  private readonly usual = new UsualTime();
  private closed = false;

  constructor(private readonly options: LdapSignInOptions) {
    const { connections, server } = options;
    const limits = {
      concurrency: connections,
      queueLength: connections * QUEUE_PER_CONNECTION,
      maxWaitMs: server.answerMs,
    };
    this.searches = new BoundedSemaphore(limits);
    this.binds = new BoundedSemaphore(limits);
  }

  /** The owner of a name. Throws `DirectoryBusy` and `DirectoryUnavailable`. */
  async find(name: string): Promise<LdapPerson | undefined> {
    return name === '' ? undefined : this.searches.runExclusive(() => this.entryOf(name)).catch(busyWhenFull);
  }

  /** False for a wrong password, and for an unknown name after the same time. Throws like {@link find}. */
  check(found: LdapPerson | undefined, password: string): Promise<boolean> {
    // A bind without a password succeeds and proves nothing (RFC 4513, section 5.1.2).
    const work = (): Promise<boolean> =>
      found === undefined || password === '' ? this.rejectUnknown() : this.checkPerson(found, password);
    return this.binds.runExclusive(work).catch(busyWhenFull);
  }

  close(): void {
    this.closed = true;
    for (const { connection } of this.idle.splice(0)) connection.close();
  }

  /** The one entry with this name; a name of several entries is rejected. */
  private async entryOf(name: string): Promise<LdapPerson | undefined> {
    const { service, reader, entries, logger } = this.options;
    const search = reader.search(this.named(name.replace(/^sip:/i, '')));
    const [entry, another] = await service.use((connection) => connection.find(search, 2));
    if (entry === undefined) return undefined;
    if (another !== undefined) {
      logger.warn({ entries: [entry.dn, another.dn] }, 'sign-in rejected: two entries have this name');
      return undefined;
    }
    return entries.read(entry);
  }

  /** Built from values and not from text, so that a name cannot inject a filter. */
  private named(name: string): Filter {
    const { attributes, sipAttribute, sipDomain } = this.options;
    const at = name.lastIndexOf('@');
    const user = name.slice(at + 1).toLowerCase() === sipDomain.toLowerCase() ? name.slice(0, at) : '';
    const values = user === '' ? [name] : [name, user];
    const filters = attributes.flatMap((attribute) => values.map((value) => new EqualityFilter({ attribute, value })));
    if (sipAttribute !== undefined) filters.push(new EqualityFilter({ attribute: sipAttribute, value: `sip:${name}` }));
    return new OrFilter({ filters });
  }

  private async checkPerson({ dn }: LdapPerson, password: string): Promise<boolean> {
    const started = performance.now();
    const matched = await this.bind(dn, password);
    if (!matched) this.usual.record(performance.now() - started);
    return matched;
  }

  /** Takes as long as a wrong password, including the round trip to the directory. */
  private async rejectUnknown(): Promise<false> {
    const started = performance.now();
    await this.bind(`cn=${randomUUID()},${this.options.baseDn}`, randomUUID());
    await sleep(Math.max(0, this.usual.ms - (performance.now() - started)));
    return false;
  }

  private async bind(dn: string, password: string, isRetry = false): Promise<boolean> {
    const reused = isRetry ? undefined : this.acquireIdle();
    const connection = reused ?? (await LdapConnection.open(this.options.server));
    try {
      const matched = await connection.bind(dn, password, REJECTIONS);
      this.release(connection);
      return matched;
    } catch (error) {
      connection.close();
      if (reused === undefined) throw error;
      // It may have been lost while idle; a new connection shows whether the directory works.
      return await this.bind(dn, password, true);
    }
  }

  private acquireIdle(): LdapConnection | undefined {
    for (;;) {
      const last = this.idle.pop();
      if (last === undefined) return undefined;
      if (!last.connection.closed && performance.now() - last.since < MAX_IDLE_MS) return last.connection;
      last.connection.close();
    }
  }

  private release(connection: LdapConnection): void {
    if (this.closed) connection.close();
    else this.idle.push({ connection, since: performance.now() });
  }
}
