import { isNativeError } from 'node:util/types';
import { jetstream, jetstreamManager, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { Logger } from '@ringdown/observability';
import { setting } from '@ringdown/settings';

export const busSettings = {
  natsUrl: setting.url('NATS_URL', ['nats', 'tls'], {
    about: 'NATS server with JetStream; user and password may stand in the URL',
    secret: true,
  }),
};

export interface BusOptions {
  readonly url: string;
  /** Shown in the server's list of connections. */
  readonly name: string;
  readonly logger: Logger;
}

/** How long the first connection may take; later losses are waited out for ever. */
const FIRST_CONNECT_MS = 10_000;
const DRAIN_MS = 5_000;

/** The one connection of a process to NATS. */
export class Bus {
  private constructor(
    readonly connection: NatsConnection,
    readonly js: JetStreamClient,
    readonly jsm: JetStreamManager,
    private readonly logger: Logger,
  ) {}

  private connected = true;
  private readonly reconnectListeners = new Set<() => void>();
  private readonly lastWishes: (() => Promise<void>)[] = [];

  /** Throws an Error in one clear line when no server answers or JetStream is not enabled. */
  static async connect({ url, name, logger }: BusOptions): Promise<Bus> {
    const { servers, user, pass } = splitUrl(url);
    const connection = await connect({
      servers,
      name,
      ...(user === undefined ? {} : { user, pass }),
      maxReconnectAttempts: -1,
      reconnectTimeWait: 500,
      timeout: FIRST_CONNECT_MS,
      // A stack trace taken for each publish, in case it fails, is a fifth of what the publish costs.
      noAsyncTraces: true,
    }).catch((error: unknown) => {
      throw new Error(`no message bus at ${servers}: ${reasonOf(error)}`, { cause: error });
    });
    try {
      const jsm = await jetstreamManager(connection);
      const bus = new Bus(connection, jetstream(connection), jsm, logger);
      void bus.followStatus();
      return bus;
    } catch (error) {
      await connection.close();
      throw new Error(`the message bus at ${servers} has no JetStream: ${reasonOf(error)}`, { cause: error });
    }
  }

  /** A health check. */
  assertConnected(): void {
    if (!this.connected) throw new Error('no connection to the message bus');
  }

  publish(subject: string, message: unknown): void {
    this.connection.publish(subject, JSON.stringify(message));
  }

  /** Hands each message of a subject, decoded from JSON, to `handle`; returns the function that ends it. */
  subscribe(subject: string, handle: (message: unknown) => void): () => void {
    const subscription = this.connection.subscribe(subject, {
      callback: (error, message) => {
        if (error) return this.logger.warn({ err: error, subject }, 'subscription failed');
        try {
          handle(message.json());
        } catch (cause) {
          this.logger.warn({ err: cause, subject }, 'message could not be handled');
        }
      },
    });
    return () => subscription.unsubscribe();
  }

  /** Asks whoever answers this subject. Rejects at once when nobody does, and when no answer comes in time. */
  async request(subject: string, message: unknown, timeoutMs: number): Promise<unknown> {
    const reply = await this.connection.request(subject, JSON.stringify(message), { timeout: timeoutMs });
    return reply.json();
  }

  /**
   * Answers the requests of a subject; what `answer` throws, or rejects with, leaves the asker without one. Those who
   * answer with the same `queue` share the requests. Returns the function that ends it.
   */
  respond(subject: string, answer: (message: unknown) => unknown, queue?: string): () => void {
    const subscription = this.connection.subscribe(subject, {
      ...(queue === undefined ? {} : { queue }),
      callback: (error, message) => {
        if (error) return this.logger.warn({ err: error, subject }, 'subscription failed');
        void this.answer(message, answer);
      },
    });
    return () => subscription.unsubscribe();
  }

  /** Called after every interruption: messages of unacknowledged subjects were missed. Returns the function that ends it. */
  onReconnect(listener: () => void): () => void {
    this.reconnectListeners.add(listener);
    return () => this.reconnectListeners.delete(listener);
  }

  /** Called while the connection is still there, when it is about to be closed. It must not reject. */
  beforeClose(wish: () => Promise<void>): void {
    this.lastWishes.push(wish);
  }

  /** Sends what is still to be sent, then closes; gives up waiting after five seconds. */
  async close(): Promise<void> {
    if (this.connection.isClosed()) return;
    const timer = setTimeout(() => void this.connection.close(), DRAIN_MS);
    await Promise.all(this.lastWishes.splice(0).map((wish) => wish()));
    await this.connection.drain().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'the bus connection could not be drained');
      return this.connection.close();
    });
    clearTimeout(timer);
  }

  private async answer(message: Msg, answer: (message: unknown) => unknown): Promise<void> {
    try {
      message.respond(JSON.stringify(await answer(message.json())));
    } catch (error) {
      this.logger.warn({ err: error, subject: message.subject }, 'request could not be answered');
    }
  }

  private async followStatus(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect') {
        this.connected = false;
        this.logger.warn('lost the message bus; reconnecting');
      } else if (status.type === 'reconnect') {
        this.connected = true;
        this.logger.info('reconnected to the message bus');
        for (const listener of this.reconnectListeners) listener();
      }
    }
  }
}

/** The client takes credentials beside the address, not inside it. */
export function splitUrl(url: string): { servers: string; user?: string; pass?: string } {
  const parsed = new URL(url);
  const servers = `${parsed.protocol}//${parsed.host}`;
  if (parsed.username === '') return { servers };
  return { servers, user: decodeURIComponent(parsed.username), pass: decodeURIComponent(parsed.password) };
}

export function reasonOf(error: unknown): string {
  return isNativeError(error) ? error.message : String(error);
}
