import { BoundedSemaphore } from '@ringdown/concurrency';
import type { Logger } from '@ringdown/observability';
import { EqualityFilter, OrFilter, type Filter } from 'ldapts';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { busyWhenFull } from '../people.js';
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
  /** Attributes that hold what people type. */
  readonly attributes: readonly string[];
  /** The attribute with `sip:user@domain`, where there is one. */
  readonly sipAttribute: string | undefined;
  /** Whose people may leave the domain out. */
  readonly sipDomain: string;
  /** How many passwords are checked at the same time, each on a connection of its own. */
  readonly connections: number;
  readonly logger: Logger;
}

/** How many more may wait for each connection. */
const QUEUE_PER_CONNECTION = 16;
/** Results that say that this name and password do not go together, or that this account may not sign in. */
const REFUSALS = new Set<number>([
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

/** Checks passwords the way directories want it: finds the entry of the name, then binds as that entry. */
export class LdapSignIn {
  private readonly searches: BoundedSemaphore;
  private readonly binds: BoundedSemaphore;
  private readonly idle: Idle[] = [];
  /** To refuse a password. */
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

  /** Whose name this is. Throws `DirectoryBusy` and `DirectoryUnavailable`. */
  async find(name: string): Promise<LdapPerson | undefined> {
    return name === '' ? undefined : this.searches.runExclusive(() => this.entryOf(name)).catch(busyWhenFull);
  }

  /** False for a wrong password, and for nobody after the same time. Throws like {@link find}. */
  check(found: LdapPerson | undefined, password: string): Promise<boolean> {
    // To bind without a password succeeds and proves nothing (RFC 4513, section 5.1.2).
    const work = (): Promise<boolean> =>
      found === undefined || password === '' ? this.refuseNobody() : this.checkPerson(found, password);
    return this.binds.runExclusive(work).catch(busyWhenFull);
  }

  close(): void {
    this.closed = true;
    for (const { connection } of this.idle.splice(0)) connection.close();
  }

  /** The one entry that has this name; a name that several have is nobody's. */
  private async entryOf(name: string): Promise<LdapPerson | undefined> {
    const { service, reader, entries, logger } = this.options;
    const search = reader.search(this.named(name.replace(/^sip:/i, '')));
    const [entry, another] = await service.use((connection) => connection.find(search, 2));
    if (entry === undefined) return undefined;
    if (another !== undefined) {
      logger.warn({ entries: [entry.dn, another.dn] }, 'two entries have the name of a sign-in; it is refused');
      return undefined;
    }
    return entries.read(entry);
  }

  /** Made of values and not of text, so that nothing in a name is taken for a filter. */
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
    if (!matched) this.usual.note(performance.now() - started);
    return matched;
  }

  /** Takes as long as a wrong password, and a way to the directory and back. */
  private async refuseNobody(): Promise<false> {
    const started = performance.now();
    await this.bind(`cn=${randomUUID()},${this.options.baseDn}`, randomUUID());
    await sleep(Math.max(0, this.usual.ms - (performance.now() - started)));
    return false;
  }

  private async bind(dn: string, password: string, anew = false): Promise<boolean> {
    const reused = anew ? undefined : this.takeIdle();
    const connection = reused ?? (await LdapConnection.open(this.options.server));
    try {
      const matched = await connection.bind(dn, password, REFUSALS);
      this.giveBack(connection);
      return matched;
    } catch (error) {
      connection.close();
      if (reused === undefined) throw error;
      // It may have been lost while it lay idle; a new one tells.
      return await this.bind(dn, password, true);
    }
  }

  private takeIdle(): LdapConnection | undefined {
    for (;;) {
      const last = this.idle.pop();
      if (last === undefined) return undefined;
      if (!last.connection.closed && performance.now() - last.since < MAX_IDLE_MS) return last.connection;
      last.connection.close();
    }
  }

  private giveBack(connection: LdapConnection): void {
    if (this.closed) connection.close();
    else this.idle.push({ connection, since: performance.now() });
  }
}
