import {
  nkeyAuthenticator,
  type Authenticator,
  type NatsConnection,
  type ReconnectToServerHandler,
} from '@nats-io/transport-node';

/** The address of a server that has another one, and other keys, each time it is started. */
export interface MovingUrl {
  /** Where it is now; while it is nowhere, an address at which no server can be. */
  readonly current: string;
  /** Whether the server that is there is ours for certain, asked before each connection. */
  isUp(): boolean;
  /** Called after each change. Returns the function that ends it. */
  onMove(listener: () => void): () => void;
}

export type BusUrl = string | MovingUrl;

/** No ordinary user can listen here. */
const NOWHERE = '127.0.0.1:1';

/** What a connection needs to reach a server and log in, for our client as well as for that of Nest. */
export interface LoginOptions {
  readonly servers: string | string[];
  readonly reconnectToServer?: ReconnectToServerHandler;
  readonly user?: string;
  readonly pass?: string;
  readonly authenticator?: Authenticator;
  readonly inboxPrefix?: string;
  /** A refusal may come from somebody who took the port of a server that has moved: never give up. */
  readonly ignoreAuthErrorAbort: true;
}

type MovableConnection = Pick<NatsConnection, 'setServers' | 'getServer' | 'reconnect' | 'closed'>;

/** The seed of a user's key, in the place of a password: it signs what the server makes up and is never sent. */
const NKEY_SEED = /^SU[A-Z2-7]{56}$/;

/**
 * Reads the addresses of a bus. `nats://user:password@host` logs in with the password, `nats://service:SEED@host` with the
 * key of that seed. Answers come to subjects with the user's name, which a server can keep for that user.
 */
export class BusLogin {
  constructor(private readonly url: BusUrl) {}

  /** Where the server is now, without the user. */
  get address(): string {
    return this.parts().servers;
  }

  options(): LoginOptions {
    const { servers, host, user, pass } = this.parts();
    const moving =
      typeof this.url === 'string'
        ? { servers }
        : { servers: [host, NOWHERE], reconnectToServer: this.nextServer(this.url) };
    const common = { ...moving, ignoreAuthErrorAbort: true } as const;
    if (user === undefined || pass === undefined) return common;
    // Answers to one service reach no other, where the server sees to that.
    const inboxPrefix = /^[\w-]+$/.test(user) ? `_INBOX.${user}` : '_INBOX';
    if (!NKEY_SEED.test(pass)) return { ...common, user, pass, inboxPrefix };
    // The key of the moment: this is called at each connection.
    const authenticator: Authenticator = (nonce) =>
      nkeyAuthenticator(new TextEncoder().encode(this.parts().pass))(nonce);
    return { ...common, authenticator, inboxPrefix };
  }

  /** Sends a connection of NATS to where the server is, whenever that changes, until it is closed. Nest does not type its own. */
  follow(connection: unknown): void {
    if (!isMovable(connection)) throw new Error('not a connection of the NATS client that is known here');
    if (typeof this.url === 'string') return;
    const end = this.url.onMove(() => {
      const { host } = this.parts();
      connection.setServers([host, NOWHERE]);
      // Whoever has taken the old port meanwhile is left at once.
      if (connection.getServer() !== host) void connection.reconnect();
    });
    void connection.closed().finally(end);
  }

  /**
   * A connection is lost before the end of its server is known, and another may have taken the port already: the first
   * try leads nowhere, and later ones only to a server that is ours.
   */
  private nextServer(url: MovingUrl): ReconnectToServerHandler {
    let isFirstTry = true;
    return (pool, info) => {
      const isSafe = info === null || (!isFirstTry && url.isUp());
      isFirstTry = isSafe && info !== null;
      const wanted = isSafe ? this.parts().host : NOWHERE;
      return pool.find(({ listen }) => listen === wanted) ?? null;
    };
  }

  private parts(): { servers: string; host: string; user?: string; pass?: string } {
    const parsed = new URL(typeof this.url === 'string' ? this.url : this.url.current);
    const servers = `${parsed.protocol}//${parsed.host}`;
    if (parsed.username === '') return { servers, host: parsed.host };
    const [user, pass] = [parsed.username, parsed.password].map(decodeURIComponent);
    return {
      servers,
      host: parsed.host,
      ...(user === undefined ? {} : { user }),
      ...(pass === undefined ? {} : { pass }),
    };
  }
}

function isMovable(connection: unknown): connection is MovableConnection {
  if (typeof connection !== 'object' || connection === null) return false;
  const has = (name: string): boolean => name in connection;
  return ['setServers', 'getServer', 'reconnect', 'closed'].every(has);
}
