import { Client, type Entry, type Filter } from 'ldapts';
import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectSecurely, type ConnectionOptions, type TLSSocket } from 'node:tls';
import { isNativeError } from 'node:util/types';
import { readOnAfterEmptyPages } from './empty-pages.js';
import { directoryFailure, RESULT, resultCodeOf } from './ldap-failure.js';

export interface LdapServer {
  /** `ldap://` or `ldaps://` with host and optional port; several are replicas and are tried in order. */
  readonly urls: readonly string[];
  /** Whether `ldap://` is upgraded to TLS before any request. */
  readonly startTls: boolean;
  /** Certificates (PEM) to trust instead of the ones built into Node. */
  readonly ca?: string;
  /** Time limit for connecting and TLS, milliseconds. */
  readonly connectMs: number;
  /** Time limit for one response, milliseconds; a page of a search is one response. */
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
/** Firewalls drop connections that are idle for longer. */
const KEEP_ALIVE_MS = 30_000;

/**
 * One connection to the directory. It fails with `DirectoryUnavailable`, which contains the failed operation and the
 * server. A lost connection is `closed` and fails from then on; it does not reconnect by itself.
 */
export class LdapConnection {
  private constructor(
    private readonly client: Client,
    private readonly socket: Socket,
    private readonly url: string,
  ) {}

  /** Connects to the first server that can be reached, with TLS if configured. */
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
    // The pending operation reports the error; without a listener it would end the process.
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

  /** Resolves to false for the result codes in `refusals`; throws for every other code except success. */
  async bind(dn: string, password: string, rejections: ReadonlySet<number> = new Set()): Promise<boolean> {
    try {
      await this.client.bind(dn, password);
      return true;
    } catch (error) {
      const code = resultCodeOf(error);
      if (code !== undefined && rejections.has(code)) return false;
      throw directoryFailure(rejections.size === 0 ? 'use the service account' : 'check a password', this.url, error);
    }
  }

  /** At most `limit` entries. Referrals to other servers are not followed. */
  async find(search: LdapSearch, limit: number): Promise<Entry[]> {
    try {
      const { searchEntries } = await this.client.search(search.base, { ...options(search), sizeLimit: limit });
      return searchEntries;
    } catch (error) {
      throw directoryFailure('search', this.url, error);
    }
  }

  /** Like {@link find}, but returns nothing if the base of the search does not exist, or for one of these results. */
  async findIfExists(search: LdapSearch, limit: number, others: readonly number[] = []): Promise<Entry[]> {
    try {
      return await this.find(search, limit);
    } catch (error) {
      const code = isNativeError(error) ? resultCodeOf(error.cause) : undefined;
      if (code === RESULT.noSuchObject || (code !== undefined && others.includes(code))) return [];
      throw error;
    }
  }

  /** All entries, page by page (RFC 2696): only one page at a time is in memory. */
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

/** ldapts over a connection that we have opened ourselves, so that we notice its end and can close it at any moment. */
function clientOver(socket: Socket | TLSSocket, url: string, { connectMs, answerMs }: LdapServer): Client {
  const client = new Client({
    url,
    timeout: answerMs,
    connectTimeout: connectMs,
    strictDN: false,
    createConnection: () => socket,
    createSecureConnection: (...given: unknown[]) => {
      const [first] = given;
      // For StartTLS ldapts passes the options of the upgrade, otherwise port and host of the existing connection.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is one for `ldaps://`, the only other caller
      if (typeof first !== 'object' || first === null) return socket as TLSSocket;
      return connectSecurely(first);
    },
  });
  readOnAfterEmptyPages(client);
  return client;
}

function ignore(): void {}
