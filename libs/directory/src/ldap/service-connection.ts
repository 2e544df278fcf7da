import { DirectoryUnavailable } from '../people.js';
import { LdapConnection, type LdapServer } from './ldap-connection.js';

export interface ServiceAccount {
  readonly dn: string;
  readonly password: string;
}

/** A connection that is idle for longer may have been dropped by a firewall without notice. */
export const MAX_IDLE_MS = 60_000;

interface Held {
  readonly connection: LdapConnection;
  /** How many operations use it now. */
  users: number;
  /** When the last of them ended, by the clock of `performance.now`. */
  idleSince: number;
}

/** The connection of the service account, opened when it is needed and again when it was lost. */
export class ServiceConnection {
  private held: Promise<Held> | undefined;
  private closed = false;

  /** Without an account all requests are anonymous. */
  constructor(
    private readonly server: LdapServer,
    private readonly account: ServiceAccount | undefined,
  ) {}

  /** Throws `DirectoryUnavailable`. If the connection was lost since its last use, the work is retried once. */
  async use<T>(work: (connection: LdapConnection) => Promise<T>): Promise<T> {
    const { held, fresh } = await this.take();
    try {
      return await busy(held, work);
    } catch (error) {
      if (fresh || !held.connection.closed || !(error instanceof DirectoryUnavailable)) throw error;
      return await busy((await this.take()).held, work);
    }
  }

  async close(): Promise<void> {
    const { held } = this;
    this.closed = true;
    this.held = undefined;
    // A connection that failed to open needs no closing.
    const open = await held?.catch(() => undefined);
    open?.connection.close();
  }

  private async take(): Promise<{ held: Held; fresh: boolean }> {
    for (;;) {
      const pending = this.held;
      if (pending === undefined) return { held: await this.openAnew(), fresh: true };
      const held = await pending;
      if (!isStale(held)) return { held, fresh: false };
      // Others may have waited for the same connection: only the first of them clears it.
      if (this.held === pending) this.held = undefined;
      held.connection.close();
    }
  }

  private openAnew(): Promise<Held> {
    if (this.closed) return Promise.reject(new DirectoryUnavailable('the directory is being closed'));
    const opening = this.open();
    this.held = opening;
    opening.catch(() => {
      if (this.held === opening) this.held = undefined;
    });
    return opening;
  }

  private async open(): Promise<Held> {
    const connection = await LdapConnection.open(this.server);
    try {
      if (this.account !== undefined) await connection.bind(this.account.dn, this.account.password);
      return { connection, users: 0, idleSince: performance.now() };
    } catch (error) {
      connection.close();
      throw error;
    }
  }
}

async function busy<T>(held: Held, work: (connection: LdapConnection) => Promise<T>): Promise<T> {
  held.users++;
  try {
    return await work(held.connection);
  } finally {
    held.users--;
    held.idleSince = performance.now();
  }
}

function isStale({ connection, users, idleSince }: Held): boolean {
  return connection.closed || (users === 0 && performance.now() - idleSince > MAX_IDLE_MS);
}
