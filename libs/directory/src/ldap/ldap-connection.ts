import { Client, type Entry, type Filter } from 'ldapts';
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { isNativeError } from 'node:util/types';
import { directoryFailure, RESULT, resultCodeOf } from './ldap-failure.js';

export interface LdapServer {
  /** `ldap://` or `ldaps://` with host and perhaps port; several hold the same and are tried in order. */
  readonly urls: readonly string[];
  /** Whether `ldap://` is upgraded to TLS before anything is said. */
  readonly startTls: boolean;
  /** Certificates (PEM) to trust instead of those that Node knows. */
  readonly ca?: string;
  /** How long connecting and TLS may take, milliseconds. */
  readonly connectMs: number;
  /** How long one answer may take, milliseconds; a page of a search is one answer. */
  readonly answerMs: number;
}

export interface LdapSearch {
  readonly base: string;
  readonly scope: 'base' | 'sub';
  readonly filter: Filter;
  readonly attributes: readonly string[];
  readonly binaryAttributes?: readonly string[];
}

const PORTS: Readonly<Record<string, number>> = { 'ldap:': 389, 'ldaps:': 636 };
/** Firewalls forget connections that say nothing for longer. */
const KEEP_ALIVE_MS = 30_000;

/**
 * One connection to the directory. Its failures are `DirectoryUnavailable` and say what was tried where. A connection
 * that has been lost is `closed` and fails from then on; it never connects anew by itself.
 */
export class LdapConnection {
  private constructor(
    private readonly client: Client,
    private readonly socket: Socket,
    private readonly url: string,
  ) {}

  /** Connects to the first server that can be reached, with TLS where it is wanted. */
  static async open(server: LdapServer): Promise<LdapConnection> {
    let failure: unknown;
    for (const url of server.urls) {
      try {
        return await LdapConnection.openAt(url, server);
      } catch (error) {
        failure = directoryFailure('connect', url, error);
      }
    }
    throw failure;
  }

  private static async openAt(url: string, server: LdapServer): Promise<LdapConnection> {
    const { protocol, hostname, port } = new URL(url);
    const host = hostname.replace(/^\[|\]$/g, '');
    const tls: ConnectionOptions = {
      host,
      port: port === '' ? (PORTS[protocol] ?? 0) : Number(port),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      ...(server.ca === undefined ? {} : { ca: server.ca }),
    };
    const socket = protocol === 'ldaps:' ? connectSecurely(tls) : connect({ host, port: Number(tls.port) });
    // What fails is told by the operation that waits; without a listener it would end the process.
    socket.on('error', ignore);
    const timer = setTimeout(
      () => socket.destroy(new Error(`no connection within ${server.connectMs} ms`)),
      server.connectMs,
    );
    try {
      await once(socket, protocol === 'ldaps:' ? 'secureConnect' : 'connect');
      socket.setKeepAlive(true, KEEP_ALIVE_MS).setNoDelay(true);
      const client = clientOver(socket, url, server);
      if (protocol === 'ldap:' && server.startTls) await client.startTLS(tls);
      return new LdapConnection(client, socket, url);
    } catch (error) {
      socket.destroy();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  get closed(): boolean {
    return this.socket.destroyed;
  }

  /** The result codes in `refusals` answer false; everything else but success is thrown. */
  async bind(dn: string, password: string, refusals: ReadonlySet<number> = new Set()): Promise<boolean> {
    try {
      await this.client.bind(dn, password);
      return true;
    } catch (error) {
      const code = resultCodeOf(error);
      if (code !== undefined && refusals.has(code)) return false;
      throw directoryFailure(refusals.size === 0 ? 'use the service account' : 'check a password', this.url, error);
    }
  }

  /** At most `limit` entries. What stands elsewhere (referrals) is left there. */
  async find(search: LdapSearch, limit: number): Promise<Entry[]> {
    try {
      const { searchEntries } = await this.client.search(search.base, { ...options(search), sizeLimit: limit });
      return searchEntries;
    } catch (error) {
      throw directoryFailure('search', this.url, error);
    }
  }

  /** As {@link find}, and nothing where the base of the search does not exist. */
  async findIfThere(search: LdapSearch, limit: number): Promise<Entry[]> {
    try {
      return await this.find(search, limit);
    } catch (error) {
      if (isNativeError(error) && resultCodeOf(error.cause) === RESULT.noSuchObject) return [];
      throw error;
    }
  }

  /** All entries, page by page (RFC 2696): however many there are, only a page of them waits in memory. */
  async *pages(search: LdapSearch, pageSize: number): AsyncGenerator<readonly Entry[]> {
    try {
      const pages = this.client.searchPaginated(search.base, { ...options(search), paged: { pageSize } });
      for await (const { searchEntries } of pages) yield searchEntries;
    } catch (error) {
      throw directoryFailure('read the people', this.url, error);
    }
  }

  close(): void {
    this.socket.destroy();
  }
}

function options({ scope, filter, attributes, binaryAttributes = [] }: LdapSearch): {
  scope: LdapSearch['scope'];
  filter: Filter;
  attributes: string[];
  explicitBufferAttributes: string[];
} {
  return { scope, filter, attributes: [...attributes], explicitBufferAttributes: [...binaryAttributes] };
}

/** ldapts over a connection that we have made ourselves, so that we know when it ends and can end it at any moment. */
function clientOver(socket: Socket | TLSSocket, url: string, { connectMs, answerMs }: LdapServer): Client {
  return new Client({
    url,
    timeout: answerMs,
    connectTimeout: connectMs,
    strictDN: false,
    createConnection: () => socket,
    createSecureConnection: (...given: unknown[]) => {
      const [first] = given;
      // For StartTLS ldapts gives the options of the upgrade, otherwise port and host of what is connected already.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is one for `ldaps://`, the only other caller
      if (typeof first !== 'object' || first === null) return socket as TLSSocket;
      return connectSecurely(first);
    },
  });
}

function ignore(): void {}
