import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream, type JetStreamClient, type JetStreamManager } from '@nats-io/jetstream';
import {
  headers,
  PermissionViolationError,
  TimeoutError,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
} from '@nats-io/transport-node';
import { RateLimitedLog, type Logger } from '@ringdown/observability';
import { setting } from '@ringdown/settings';
import { BucketSizes, type BucketSizeLimits } from './buckets/bucket-sizes.js';
import { BusLogin, type BusUrl } from './bus-login.js';
import { openConnection } from './open-connection.js';
import { KeptStreams } from './streams/kept-streams.js';
import { Outbox } from './streams/outbox.js';
import { hasNoSubscriber, Replies } from './replies.js';
import { replicaSettings } from './streams/replicas.js';
import { serverProblem } from './server-problem.js';
import { UnreadableEntries } from './unreadable-entries.js';

export const busSettings = {
  natsUrl: setting.servers('NATS_URL', ['nats', 'tls'], {
    task: 'bus',
    about:
      'NATS server with JetStream, or the servers of a cluster; the URL may contain user and password, or service and seed of its key',
    secret: true,
  }),
  ...replicaSettings,
};

export interface BusOptions {
  readonly url: BusUrl;
  /** Shown in the server's list of connections. */
  readonly name: string;
  readonly logger: Logger;
  /** If left out, buckets are created without a limit, and existing limits are kept. */
  readonly limits?: BucketSizeLimits;
  /** Called for each write that a full bucket has rejected. */
  readonly onFull?: (bucket: string) => void;
  /** Called for each entry that is left out because it cannot be read. */
  readonly onUnreadable?: (bucket: string) => void;
  /** How many servers of a cluster store each stream; if left out, existing streams are kept. */
  readonly replicas?: number | undefined;
}

const DRAIN_MS = 5_000;
const UNANSWERED_LOG_MS = 60_000;
/** Delay between two attempts of a request while no service replies yet. */
const NO_SERVICE_MS = 100;
/** Marks an error reply, as in the services framework of NATS (ADR-32 of NATS). */
const ERROR_HEADER = 'Nats-Service-Error';

/** Nothing serves the subject of a request, at least not yet. */
export class NoService extends Error {
  override readonly name = 'NoService';

  constructor(subject: string) {
    super(`no service answers ${subject}`);
  }
}

/** The one connection of a process to NATS. */
export class Bus {
  private constructor(
    readonly connection: NatsConnection,
    readonly js: JetStreamClient,
    readonly jsm: JetStreamManager,
    /** Otherwise others make the streams; see bus-account.ts. */
    readonly hasJetStream: boolean,
    /** For additional connections of the same user. */
    readonly login: BusLogin,
    readonly logger: Logger,
    readonly bucketSizes: BucketSizes,
    readonly unreadable: UnreadableEntries,
    /** BUS_REPLICAS: how many servers store each stream; undefined if they are not to be changed. */
    readonly replicas: number | undefined,
  ) {}

  /** Name of this connection among those of the same service, for subjects that only one replica serves. */
  readonly replica = randomBytes(6).toString('hex');
  /** For messages that many clients cause at the same time. */
  readonly outbox = new Outbox();
  /** To what this connection asks. */
  readonly replies = new Replies(this);
  /** What this connection has to make again when the bus comes back without it. */
  readonly keptStreams = new KeptStreams(this);
  private connected = true;
  /** Why the server of the current connection must not be used. */
  private refused: string | undefined;
  private readonly disconnectListeners = new Set<() => void>();
  private readonly reconnectListeners = new Set<() => void>();
  private readonly closeListeners: (() => Promise<void>)[] = [];
  private readonly openings = new Set<Promise<unknown>>();
  private readonly unanswered = new Map<string, RateLimitedLog>();

  /** Throws {@link BusNotReachable} when no server answers, an Error when JetStream is not enabled; with one line each. */
  static async connect(of: BusOptions): Promise<Bus> {
    const { url, name, logger, limits, replicas } = of;
    const { onFull = () => undefined, onUnreadable = () => undefined } = of;
    const login = new BusLogin(url);
    const { connection, account } = await openConnection({ login, name, logger, replicas });
    const { jsm, apiPrefix, hasJetStream } = account;
    const js = jetstream(connection, apiPrefix === undefined ? {} : { apiPrefix, checkAPI: false });
    const sizes = new BucketSizes(logger, limits, onFull);
    const unreadable = new UnreadableEntries(logger, onUnreadable);
    const bus = new Bus(connection, js, jsm, hasJetStream, login, logger, sizes, unreadable, replicas);
    login.follow(connection);
    void bus.followStatus();
    return bus;
  }

  /** For the health check. */
  assertConnected(): void {
    if (!this.connected) throw new Error('no connection to the message bus');
    if (this.refused !== undefined) throw new Error(this.refused);
  }

  /** Several servers may answer, and not all of them have the newest data. */
  get isClustered(): boolean {
    return (this.connection.info?.cluster ?? '') !== '';
  }

  publish(subject: string, message: unknown): void {
    this.connection.publish(subject, JSON.stringify(message));
  }

  /** Calls `handle` with each message of a subject, decoded from JSON; returns the function that unsubscribes. */
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
   * Sends a request to the service that serves the subject. Rejects at once, with {@link NoService} when no service does
   * and with an Error when it replies with one, and when no reply comes in time.
   */
  async request(subject: string, message: unknown, timeoutMs: number): Promise<unknown> {
    const body = JSON.stringify(message);
    const reply = await this.replies.to({ subject, body, timeoutMs, late: () => new TimeoutError() });
    if (hasNoSubscriber(reply)) throw new NoService(subject);
    const failure = reply.headers?.get(ERROR_HEADER);
    if (failure) throw new Error(`the reply to ${subject} is an error: ${failure}`);
    return reply.json();
  }

  /**
   * Like {@link request}, but waits, within the time limit, for a service that does not serve the subject yet: after an
   * outage of the bus it may reconnect a moment later than this one.
   */
  async requestWithRetry(subject: string, message: unknown, timeoutMs: number): Promise<unknown> {
    const until = performance.now() + timeoutMs;
    for (;;) {
      try {
        return await this.request(subject, message, Math.max(1, until - performance.now()));
      } catch (error) {
        if (!(error instanceof NoService) || performance.now() + NO_SERVICE_MS >= until) throw error;
        await sleep(NO_SERVICE_MS);
      }
    }
  }

  /**
   * Replies to the requests of a subject; an error thrown by `answer` becomes an error of the request. Connections with
   * the same `queue` share the requests. Returns the function that unsubscribes.
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

  /**
   * Called when an interruption begins: the bus may have other data after it. Returns the function that unsubscribes.
   */
  onDisconnect(listener: () => void): () => void {
    this.disconnectListeners.add(listener);
    return () => this.disconnectListeners.delete(listener);
  }

  /**
   * Called after each interruption: messages of unacknowledged subjects were missed. Returns the function that
   * unsubscribes.
   */
  onReconnect(listener: () => void): () => void {
    this.reconnectListeners.add(listener);
    return () => this.reconnectListeners.delete(listener);
  }

  /** Called before the connection is closed, while it can still be used. It must not reject. */
  beforeClose(listener: () => Promise<void>): void {
    this.closeListeners.push(listener);
  }

  /** Makes `close` wait for a consumer that is being opened: on a closed connection, its timers would never end. */
  async opening<T>(consumer: Promise<T>): Promise<T> {
    this.openings.add(consumer);
    try {
      return await consumer;
    } finally {
      this.openings.delete(consumer);
    }
  }

  /** Flushes pending messages, then closes; stops waiting after five seconds. */
  async close(): Promise<void> {
    if (this.connection.isClosed()) return;
    const timer = setTimeout(() => void this.connection.close(), DRAIN_MS);
    await Promise.all(this.closeListeners.splice(0).map((listener) => listener()));
    await Promise.allSettled(this.openings);
    this.outbox.flush();
    await this.connection.drain().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'the bus connection could not be drained');
      return this.connection.close();
    });
    clearTimeout(timer);
  }

  private async answer(message: Msg, answer: (message: unknown) => unknown): Promise<void> {
    try {
      const body = JSON.stringify(await answer(message.json()));
      await this.outbox.send(() => message.respond(body));
    } catch (error) {
      this.logUnanswered(message.subject, error);
      message.respond('', { headers: failureHeaders() });
    }
  }

  /** Those who ask try again and again: each subject is logged now and then. */
  private logUnanswered(subject: string, error: unknown): void {
    const log = this.unanswered.get(subject) ?? new RateLimitedLog(UNANSWERED_LOG_MS);
    this.unanswered.set(subject, log);
    log.log((leftOut) => this.logger.warn({ err: error, subject, leftOut }, 'request could not be answered'));
  }

  /** The servers of a cluster may have different versions: each one is checked when it is used. */
  private checkServer(): void {
    const problem = serverProblem(this.connection.info ?? {});
    this.refused = problem?.fatal ? problem.reason : undefined;
    if (this.refused !== undefined) this.logger.error(this.refused);
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
        this.checkServer();
        for (const listener of this.reconnectListeners) listener();
      } else if (status.type === 'error' && status.error instanceof PermissionViolationError) {
        this.logger.warn({ reason: status.error.message }, 'the message bus denied an operation of this service');
        this.replies.denied(status.error);
      }
    }
  }
}

function failureHeaders(): MsgHdrs {
  const sent = headers();
  // The reason stays in the log of the service: a request may come from any client of the bus.
  sent.set(ERROR_HEADER, 'the request could not be processed');
  return sent;
}
