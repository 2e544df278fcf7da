import { DirectoryUnavailable } from '../people/directory.js';
import { LdapConnection, type LdapServer } from './ldap-connection.js';

export interface ServiceAccount {
  readonly dn: string;
  readonly password: string;
}

/** A connection that is idle for longer may have been dropped by a firewall without notice. */
export const MAX_IDLE_MS = 60_000;

interface SharedConnection {
  readonly connection: LdapConnection;
  /** How many operations use it now. */
  users: number;
  /** When the last of them ended, by the clock of `performance.now`. */
  idleSince: number;
}

/** The connection of the service account, opened when it is needed and again when it was lost. */
export class ServiceConnection {
  private shared: Promise<SharedConnection> | undefined;
  private closed = false;

  /** Without an account all requests are anonymous. */
  constructor(
    private readonly server: LdapServer,
    private readonly account: ServiceAccount | undefined,
  ) {}

  /** Throws `DirectoryUnavailable`. If the connection was lost since its last use, the work is retried once. */
  async use<T>(work: (connection: LdapConnection) => Promise<T>): Promise<T> {
    const { shared, fresh } = await this.acquire();
    try {
      return await whileInUse(shared, work);
    } catch (error) {
      if (fresh || !shared.connection.closed || !(error instanceof DirectoryUnavailable)) throw error;
      return await whileInUse((await this.acquire()).shared, work);
    }
  }

  async close(): Promise<void> {
    const { shared } = this;
    this.closed = true;
    this.shared = undefined;
    // A connection that failed to open needs no closing.
    const open = await shared?.catch(() => undefined);
    open?.connection.close();
  }

  private async acquire(): Promise<{ shared: SharedConnection; fresh: boolean }> {
    for (;;) {
      const pending = this.shared;
      if (pending === undefined) return { shared: await this.openNew(), fresh: true };
      const shared = await pending;
      if (!isStale(shared)) return { shared, fresh: false };
      // Others may have waited for the same connection: only the first of them clears it.
      if (this.shared === pending) this.shared = undefined;
      shared.connection.close();
    }
  }

  private openNew(): Promise<SharedConnection> {
    if (this.closed) return Promise.reject(new DirectoryUnavailable('the directory is being closed'));
    const opening = this.open();
    this.shared = opening;
    opening.catch(() => {
      if (this.shared === opening) this.shared = undefined;
    });
    return opening;
  }

  private async open(): Promise<SharedConnection> {
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

async function whileInUse<T>(shared: SharedConnection, work: (connection: LdapConnection) => Promise<T>): Promise<T> {
  shared.users++;
  try {
    return await work(shared.connection);
  } finally {
    shared.users--;
    shared.idleSince = performance.now();
  }
}

function isStale({ connection, users, idleSince }: SharedConnection): boolean {
  return connection.closed || (users === 0 && performance.now() - idleSince > MAX_IDLE_MS);
}
