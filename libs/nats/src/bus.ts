import { reasonOf } from '@ringdown/errors';
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  jetstream,
  JetStreamApiError,
  jetstreamManager,
  type JetStreamClient,
  type JetStreamManager,
} from '@nats-io/jetstream';
import {
  connect,
  headers,
  PermissionViolationError,
  RequestError,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
} from '@nats-io/transport-node';
import { RateLimitedLog, type Logger } from '@ringdown/observability';
import { setting } from '@ringdown/settings';
import { BusFull } from './bus-full.js';
import { BusLogin, type BusUrl } from './bus-login.js';
import { serverProblem } from './server-problem.js';

export const busSettings = {
  natsUrl: setting.url('NATS_URL', ['nats', 'tls'], {
    about: 'NATS server with JetStream; user and password may stand in the URL, or the service and the seed of its key',
    secret: true,
  }),
};

/** How many bytes each bucket may fill. */
export interface BucketLimits {
  maxBytesOf(name: string): number;
  /** The setting that raises them, for the error of a full bucket. */
  readonly setting: string;
}

export interface BusOptions {
  readonly url: BusUrl;
  /** Shown in the server's list of connections. */
  readonly name: string;
  readonly logger: Logger;
  /** Left out: buckets are created without a limit, and keep the limit that they have. */
  readonly limits?: BucketLimits;
  /** Called for each write that a full bucket has refused. */
  readonly onFull?: (bucket: string) => void;
}

/** How long the first connection may take; later losses are waited out for ever. */
const FIRST_CONNECT_MS = 10_000;
const DRAIN_MS = 5_000;
/** Between two tries of a request that no service answers yet. */
const NO_SERVICE_MS = 100;
/** What a server says whose stream has as many bytes as it may have. */
const STORE_FAILED = 10_077;
const FULL = 'maximum bytes exceeded';
/** As the services framework of NATS marks an error (ADR-32 of NATS). */
const ERROR_HEADER = 'Nats-Service-Error';

/** The one connection of a process to NATS. */
export class Bus {
  private constructor(
    readonly connection: NatsConnection,
    readonly js: JetStreamClient,
    readonly jsm: JetStreamManager,
    /** For more connections of the same user. */
    readonly login: BusLogin,
    readonly logger: Logger,
    private readonly limits: BucketLimits | undefined,
    private readonly onFull: (bucket: string) => void,
  ) {}

  private readonly fullLines = new Map<string, RateLimitedLog>();

  /** Name of this connection among those of the same service, for subjects that only one replica serves. */
  readonly replica = randomBytes(6).toString('hex');
  private connected = true;
  private readonly disconnectListeners = new Set<() => void>();
  private readonly reconnectListeners = new Set<() => void>();
  private readonly lastWishes: (() => Promise<void>)[] = [];

  /** Throws an Error in one clear line when no server answers or JetStream is not enabled. */
  static async connect(of: BusOptions): Promise<Bus> {
    const { url, name, logger, limits, onFull = () => undefined } = of;
    const login = new BusLogin(url);
    const options = login.options();
    const servers = login.address;
    const connection = await connect({
      ...options,
      name,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 500,
      timeout: FIRST_CONNECT_MS,
      // A stack trace taken for each publish, in case it fails, is a fifth of what the publish costs.
      noAsyncTraces: true,
    }).catch((error: unknown) => {
      throw new Error(`no message bus at ${servers}: ${reasonOf(error)}`, { cause: error });
    });
    try {
      const problem = serverProblem(connection.info ?? {});
      if (problem?.fatal) throw new Error(problem.reason);
      if (problem !== undefined) logger.warn({ server: servers }, problem.reason);
      const jsm = await jetstreamManager(connection);
      const bus = new Bus(connection, jetstream(connection), jsm, login, logger, limits, onFull);
      login.follow(connection);
      void bus.followStatus();
      return bus;
    } catch (error) {
      await connection.close();
      throw new Error(`the message bus at ${servers} cannot be used: ${reasonOf(error)}`, { cause: error });
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

  /**
   * Sends a request to the service that serves the subject. Rejects at once when no service does or when it answers with
   * an error, and when no reply comes in time.
   */
  async request(subject: string, message: unknown, timeoutMs: number): Promise<unknown> {
    const reply = await this.connection.request(subject, JSON.stringify(message), { timeout: timeoutMs });
    const failure = reply.headers?.get(ERROR_HEADER);
    if (failure) throw new Error(`${subject} was answered with an error: ${failure}`);
    return reply.json();
  }

  /**
   * As {@link request}, but waits, within the time, for a service that does not serve the subject yet: after an outage of
   * the bus it may come back a moment later than this one.
   */
  async requestPatiently(subject: string, message: unknown, timeoutMs: number): Promise<unknown> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      try {
        return await this.request(subject, message, Math.max(1, until - performance.now()));
      } catch (error) {
        const isEarly = error instanceof RequestError && error.isNoResponders();
        if (!isEarly || performance.now() + NO_SERVICE_MS >= until) throw error;
        await sleep(NO_SERVICE_MS);
      }
    }
  }

  /**
   * Replies to the requests of a subject; an error of `answer` becomes an error of the request. Connections with the same
   * `queue` share the requests. Returns the function that ends it.
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

  /** Undefined where this connection was given no limits. */
  maxBytesOf(bucket: string): number | undefined {
    return this.limits?.maxBytesOf(bucket);
  }

  /** What a failed write is thrown as: {@link BusFull} where the limit of the bucket was in its way; that is said and counted. */
  refusal(bucket: string, error: unknown): unknown {
    if (!(error instanceof JetStreamApiError && error.code === STORE_FAILED && error.message === FULL)) return error;
    this.onFull(bucket);
    const line = this.fullLines.get(bucket) ?? new RateLimitedLog();
    this.fullLines.set(bucket, line);
    line.log((leftOut) => this.logger.error({ bucket, leftOut }, 'a bucket is full and refuses what is new'));
    return new BusFull(bucket, this.limits?.setting, error);
  }

  /** Called when an interruption begins: the bus may be another one after it. Returns the function that ends it. */
  onDisconnect(listener: () => void): () => void {
    this.disconnectListeners.add(listener);
    return () => this.disconnectListeners.delete(listener);
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
      message.respond('', { headers: failureHeaders() });
    }
  }

  private async followStatus(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect') {
        this.connected = false;
        this.logger.warn('lost the message bus; reconnecting');
        for (const listener of this.disconnectListeners) listener();
      } else if (status.type === 'reconnect') {
        this.connected = true;
        this.logger.info('reconnected to the message bus');
        for (const listener of this.reconnectListeners) listener();
      } else if (status.type === 'error' && status.error instanceof PermissionViolationError) {
        this.logger.warn({ reason: status.error.message }, 'the message bus does not let this service do that');
      }
    }
  }
}

/** Whether a request failed because the user of the connection may not make it. */
export function isNotAllowed(error: unknown): boolean {
  if (error instanceof PermissionViolationError) return true;
  return error instanceof RequestError && error.cause instanceof PermissionViolationError;
}

function failureHeaders(): MsgHdrs {
  const sent = headers();
  // The reason stays in the log of the service: a request may come from anywhere on the bus.
  sent.set(ERROR_HEADER, 'the request could not be processed');
  return sent;
}
