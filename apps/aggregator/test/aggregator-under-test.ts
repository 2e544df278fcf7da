import 'reflect-metadata';
import type { PublishedRecord } from '@ringdown/contracts/records';
import { TOKENS_INTROSPECT_PATTERN, TOKENS_REVOKED_SUBJECT } from '@ringdown/contracts/tokens';
import { RecordPublisher, StreamBundleOffer } from '@ringdown/feed-bus';
import { Bus } from '@ringdown/nats';
import { Health, Metrics, type Logger } from '@ringdown/observability';
import { startWebService } from '@ringdown/web-service';
import type { Environment } from '@ringdown/settings';
import { startPostgres, type TestDatabase } from '@ringdown/testing/servers/database';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { tokenHash, type Principal, type Role } from '@ringdown/token-validation';
import { aggregator } from '../src/service.js';
import type { Call } from '../src/calls/call.js';
import type { CallWithRecords as Shown } from '../src/store/calls/call-queries.js';

export interface Answer<T> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: T;
}

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly next: string | null;
}

/** An error of the query API. */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  readonly parameters?: readonly { readonly name: string; readonly reason: string; readonly code?: string }[];
}

export type CallWithRecords = Call & Omit<Shown, 'call'>;

/** One running aggregator behind its own listener. */
export class RunningAggregator {
  private stopped: Promise<void> | undefined;

  private constructor(
    readonly origin: string,
    readonly health: Health,
    readonly metrics: Metrics,
    private readonly end: () => Promise<void>,
  ) {}

  static async start(
    natsUrl: string,
    databaseUrl: string,
    env: Environment = {},
    logger: Logger = quietLogger(),
  ): Promise<RunningAggregator> {
    const [health, metrics] = [new Health(), new Metrics()];
    const { app, base } = await startWebService({
      service: aggregator,
      env: { DATABASE_URL: databaseUrl, SERVICE_PORT: '0', WEB_CONNECTIONS_PER_ADDRESS: '10000', ...env },
      natsUrl,
      shared: { logger, health, metrics },
    });
    return new RunningAggregator(base, health, metrics, () => app.close());
  }

  async get<T>(path: string, token?: string): Promise<Answer<T>> {
    const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`${this.origin}${path}`, { headers });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the specification expects is checked by it
    return { status: response.status, headers: response.headers, body: (await response.json()) as T };
  }

  /** Sends JSON. The body of the answer is undefined if it has none. */
  async send<T>(
    method: 'POST' | 'PUT' | 'DELETE',
    path: string,
    token: string,
    { body, headers }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
  ): Promise<Answer<T>> {
    const response = await fetch(`${this.origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed: unknown = text === '' ? undefined : JSON.parse(text);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what the specification expects is checked by it
    return { status: response.status, headers: response.headers, body: parsed as T };
  }

  /** All items of a list, page by page. `path` has at least one parameter. */
  async all<T>(path: string, token: string): Promise<readonly T[]> {
    const items: T[] = [];
    for (let next: string | null = ''; next !== null;) {
      const { status, body }: Answer<Page<T>> = await this.get(`${path}${next === '' ? '' : `&cursor=${next}`}`, token);
      if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`);
      items.push(...body.items);
      next = body.next;
    }
    return items;
  }

  async metric(line: RegExp): Promise<string | undefined> {
    return line.exec(await this.metrics.registry.metrics())?.[1];
  }

  stop(): Promise<void> {
    this.stopped ??= this.end();
    return this.stopped;
  }
}

/** Bus, database, a collector's publisher and the owner of tokens, shared by any number of aggregators. */
export class Surroundings {
  /** Sees users. */
  readonly operator = 'operator-token';
  /** Does not see users. */
  readonly plainOperator = 'plain-operator-token';
  readonly user = 'user-token';
  private readonly aggregators: RunningAggregator[] = [];
  private readonly principals = new Map<string, Principal>();

  private constructor(
    readonly nats: TestNats,
    readonly database: TestDatabase,
    readonly bus: Bus,
    private readonly publisher: RecordPublisher,
    /** As a collector's: followed from the start. */
    readonly bundles: StreamBundleOffer,
  ) {}

  /** `busFolder`: where the bus keeps its files, for tests that change them. `ownDatabase`: for tests that kill its server. */
  static async start({
    busFolder,
    ownDatabase = false,
  }: { readonly busFolder?: string; readonly ownDatabase?: boolean } = {}): Promise<Surroundings> {
    const nats = await startNats(busFolder === undefined ? {} : { folder: busFolder });
    const database = await startPostgres({ own: ownDatabase });
    const bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    const bundles = new StreamBundleOffer(bus);
    await bundles.follow();
    const publisher = new RecordPublisher({ bus, bundles, deadlineMs: 60_000 });
    const made = new Surroundings(nats, database, bus, publisher, bundles);
    made.allow(made.operator, ['user', 'operator', 'reveal']);
    made.allow(made.plainOperator, ['user', 'operator']);
    made.allow(made.user, ['user']);
    made.answerIntrospection();
    return made;
  }

  allow(
    token: string,
    roles: readonly Role[],
    expiresAt = Date.now() + 3_600_000,
    username = 'carol@example.test',
  ): void {
    const principal = { username, sipAddress: `sip:${username}`, roles, expiresAt };
    this.principals.set(tokenHash(token), principal);
  }

  /** Publishes only that a token was revoked: later checks still return that it is valid. */
  async publishRevoked(token: string): Promise<void> {
    this.bus.publish(TOKENS_REVOKED_SUBJECT, { tokenHash: tokenHash(token) });
    await this.bus.connection.flush();
  }

  async startAggregator(env?: Environment, logger?: Logger): Promise<RunningAggregator> {
    const aggregator = await RunningAggregator.start(this.nats.urlOf('aggregator'), this.database.url, env, logger);
    this.aggregators.push(aggregator);
    return aggregator;
  }

  async publish(...records: readonly PublishedRecord[]): Promise<void> {
    await Promise.all(records.map((record) => this.publisher.publish(record)));
  }

  /** Requests a call until it is as expected. */
  call(
    aggregator: RunningAggregator,
    callId: string,
    expected: (call: CallWithRecords) => boolean = () => true,
  ): Promise<CallWithRecords> {
    const findCall = async (): Promise<CallWithRecords | undefined> => {
      const { status, body } = await aggregator.get<CallWithRecords>(`/api/calls/${callId}`, this.operator);
      return status === 200 && expected(body) ? body : undefined;
    };

    return eventually(`call ${callId}`, findCall);
  }

  async stopAggregators(): Promise<void> {
    await Promise.all(this.aggregators.splice(0).map((aggregator) => aggregator.stop()));
  }

  async stop(): Promise<void> {
    await this.stopAggregators();
    this.bundles.close();
    await this.bus.close();
    await this.nats.stop();
    await this.database.stop();
  }

  /** Replies like the service that owns the tokens, in Nest's format of request and reply. */
  private answerIntrospection(): void {
    this.bus.respond(TOKENS_INTROSPECT_PATTERN, (request) => {
      const { tokenHash: hash }: { tokenHash?: unknown } = { ...Object(request) };
      return { principal: this.principals.get(String(hash)) ?? null };
    });
  }
}
