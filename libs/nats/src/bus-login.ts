import { type Authenticator, type NatsConnection, type ReconnectToServerHandler } from '@nats-io/transport-node';
import { publicKeyOf, signNonce } from '@ringdown/nats-keys';
import { serverUrls } from '@ringdown/settings';
import { hkdfSync } from 'node:crypto';

/** The address of a server that gets a new address and new keys at each start. */
export interface MovingUrl {
  /** The current address; while the server does not run, an address where no server can listen. */
  readonly current: string;
  /** Whether the running server is certainly ours; checked before each connection. */
  isUp(): boolean;
  /** Called after each change. Returns the function that unsubscribes. */
  onMove(listener: () => void): () => void;
}

export type BusUrl = string | MovingUrl;

/** No ordinary user can listen here. */
const NOWHERE = '127.0.0.1:1';

/** What a connection needs to reach a server and log in, for our client and for the client of Nest. */
export interface LoginOptions {
  readonly servers: string | string[];
  readonly reconnectToServer: ReconnectToServerHandler;
  readonly user?: string;
  readonly pass?: string;
  readonly authenticator?: Authenticator;
  readonly inboxPrefix?: string;
  /** A rejected login may come from another program on the former port of a moved server: never give up. */
  readonly ignoreAuthErrorAbort: true;
}

type MovableConnection = Pick<NatsConnection, 'setServers' | 'reconnect' | 'closed'>;

/** The seed of a user's key, in place of a password: it signs a nonce of the server and is never sent. */
const NKEY_SEED = /^SU[A-Z2-7]{56}$/;

/**
 * Parses the addresses of a bus, of which a cluster has several. `nats://user:password@host` logs in with the password, `nats://service:SEED@host` with
 * the key of that seed. Replies go to subjects with the user's name, which a server can restrict to that user.
 */
export class BusLogin {
  constructor(private readonly url: BusUrl) {}

  /** The current addresses of the servers, without the user. */
  get addresses(): readonly string[] {
    return this.parts().servers;
  }

  /**
   * A key for one purpose, which only who has this login can derive; the login cannot be found from it. Empty without a
   * password.
   */
  deriveKey(purpose: string): Buffer {
    const { pass = '' } = this.parts();
    return pass === '' ? Buffer.alloc(0) : Buffer.from(hkdfSync('sha256', pass, '', purpose, 32));
  }

  options(): LoginOptions {
    const { servers, host, user, pass } = this.parts();
    const moving =
      typeof this.url === 'string'
        ? { servers: [...servers], reconnectToServer: leastRecentlyTried }
        : { servers: [host, NOWHERE], reconnectToServer: this.nextServer(this.url) };
    const common = { ...moving, ignoreAuthErrorAbort: true } as const;
    if (user === undefined || pass === undefined) return common;
    // A server with such permissions delivers the replies for one service to no other service.
    const inboxPrefix = /^[\w-]+$/.test(user) ? `_INBOX.${user}` : '_INBOX';
    if (!NKEY_SEED.test(pass)) return { ...common, user, pass, inboxPrefix };
    // Uses the current key: this function is called at each connection.
    const authenticator: Authenticator = (nonce = '') => {
      const { pass: seed = '' } = this.parts();
      return { nkey: publicKeyOf(seed), sig: signNonce(seed, nonce) };
    };
    return { ...common, authenticator, inboxPrefix };
  }

  /**
   * Reconnects a NATS connection whenever the server moves, until it is closed. Nest has no type for its connection.
   */
  follow(connection: unknown): void {
    if (!isMovable(connection)) throw new Error('unknown kind of NATS connection');
    if (typeof this.url === 'string') return;
    const end = this.url.onMove(() => {
      connection.setServers([this.parts().host, NOWHERE]);
      // Whatever it is still connected to is not the server that has moved.
      void connection.reconnect();
    });
    void connection.closed().finally(end);
  }

  /**
   * A connection is lost before it is known that its server has stopped, and another program may already listen on its
   * port: an attempt goes to an unusable address unless the server is certainly ours.
   */
  private nextServer(url: MovingUrl): ReconnectToServerHandler {
    return (pool) => {
      const wanted = url.isUp() ? this.parts().host : NOWHERE;
      return pool.find(({ listen }) => listen === wanted) ?? null;
    };
  }

  private parts(): Parts {
    const urls = serverUrls(typeof this.url === 'string' ? this.url : this.url.current).map((url) => new URL(url));
    const servers = urls.map(({ protocol, host }) => `${protocol}//${host}`);
    const { host = '', username = '', password = '' } = urls[0] ?? {};
    if (username === '') return { servers, host };
    return { servers, host, user: decodeURIComponent(username), pass: decodeURIComponent(password) };
  }
}

/** By itself the client tries the server it has lost once more: one that is cut off costs the time limit of a connection. */
const leastRecentlyTried: ReconnectToServerHandler = (pool) => {
  const [first, ...others] = pool;
  if (first === undefined) return null;
  return others.reduce((best, server) => (server.lastConnect < best.lastConnect ? server : best), first);
};

interface Parts {
  readonly servers: readonly string[];
  /** The first of them. */
  readonly host: string;
  readonly user?: string;
  readonly pass?: string;
}

function isMovable(connection: unknown): connection is MovableConnection {
  if (typeof connection !== 'object' || connection === null) return false;
  const has = (name: string): boolean => name in connection;
  return ['setServers', 'reconnect', 'closed'].every(has);
}
