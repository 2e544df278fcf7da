import {
  eventually,
  FeedLoad,
  quietLogger,
  ServiceProcess,
  Started,
  startNats,
  startPostgres,
  type TestDatabase,
  type TestNats,
} from '@ringdown/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Database } from '../../src/store/database.js';
import { startXml } from '../feed-examples.js';

const SENDERS = 4;
const ASK_EVERY_MS = 250;
const STALL_MS = 30_000;
const LONGEST_BACKLOG_MS = 900_000;

function mainOf(app: string): string {
  return fileURLToPath(new URL(`../../../../${app}/dist/src/main.js`, import.meta.url));
}

/** Records by their CallIds. */
export interface Outcome {
  readonly lost: readonly string[];
  readonly double: readonly string[];
  readonly foreign: readonly string[];
}

/** What the services need from a bus. */
interface FeedBus {
  urlOf(service: 'collector' | 'aggregator'): string;
}

export interface FeedOptions {
  /** Where the database keeps its files; everything in it is removed at the end. */
  readonly databaseFolder?: string;
  /** A database that runs already; it is stopped with the rest. Left out: PGlite. */
  readonly database?: TestDatabase;
  /** Settings of both services. */
  readonly settings?: Readonly<Record<string, string>>;
  /** More environment variables of one of them, for example for a wrong clock. */
  readonly collectorEnv?: Readonly<Record<string, string>>;
  readonly aggregatorEnv?: Readonly<Record<string, string>>;
}

export interface WholeFeedOptions extends FeedOptions {
  /** As `databaseFolder`, for the bus. */
  readonly busFolder?: string;
}

/** The servers of the feed, each in its own process: nats-server, PGlite, a collector and an aggregator. */
export class WholeFeed<B extends FeedBus = TestNats> {
  readonly load: FeedLoad;
  private readonly records: Database;

  private constructor(
    private readonly started: Started,
    readonly bus: B,
    readonly database: TestDatabase,
    readonly collector: ServiceProcess,
    readonly aggregator: ServiceProcess,
  ) {
    this.records = new Database({ url: database.url, poolSize: 1, logger: quietLogger() });
    this.load = new FeedLoad({ base: collector.base, senders: SENDERS, record: startXml });
  }

  static async start(options: WholeFeedOptions = {}): Promise<WholeFeed> {
    const { busFolder } = options;
    const bus = await startNats(busFolder === undefined ? {} : { folder: busFolder });
    return WholeFeed.startOn(bus, options);
  }

  /** On a bus that runs already; it is stopped with the rest, or when the start fails. */
  static async startOn<B extends FeedBus & { stop(): Promise<void> }>(
    bus: B,
    { databaseFolder, database: given, settings, collectorEnv, aggregatorEnv }: FeedOptions,
  ): Promise<WholeFeed<B>> {
    const started = new Started();
    try {
      started.add(bus);
      const folder = databaseFolder === undefined ? {} : { folder: databaseFolder };
      const database = started.add(given ?? (await startPostgres(folder)));
      const env = settings;
      const collector = await ServiceProcess.start({
        main: mainOf('collector'),
        running: 'collector is running',
        env: {
          NATS_URL: bus.urlOf('collector'),
          ...env,
          COLLECTOR_HOST: '127.0.0.1',
          ...collectorEnv,
        },
        portSetting: 'COLLECTOR_PORT',
      });
      started.add(collector);
      const aggregator = await ServiceProcess.start({
        main: mainOf('aggregator'),
        running: 'aggregator is running',
        env: {
          NATS_URL: bus.urlOf('aggregator'),
          ...env,
          DATABASE_URL: database.url,
          SERVICE_HOST: '127.0.0.1',
          ...aggregatorEnv,
        },
        portSetting: 'SERVICE_PORT',
      });
      started.add(aggregator);
      return new WholeFeed(started, bus, database, collector, aggregator);
    } catch (error) {
      await started.stopAll();
      throw error;
    }
  }

  /** Resolves when this many more records have become calls. */
  async storesOn(records: number): Promise<void> {
    let enough = Infinity;
    await eventually(
      `${records} more calls in the database`,
      async () => {
        const calls = await this.calls();
        if (calls === undefined) return false;
        enough = Math.min(enough, calls + records);
        return calls >= enough;
      },
      120_000,
    );
  }

  /** Resolves when everything that was acknowledged so far has become calls. */
  async storesAll(): Promise<void> {
    const { acknowledged } = this.load;
    const isWhole = async (): Promise<boolean> => {
      const stored = await this.stored().catch(() => undefined);
      return stored !== undefined && [...acknowledged].every((callId) => stored.has(callId));
    };
    await eventually('all calls in the database', isWhole);
  }

  /**
   * Ends the load, waits until everything acknowledged is stored and nothing more follows, and compares. Each record is
   * its own call, so a lost record is a missing call, and one that was counted twice shows in its call, as another
   * call, or in the counts of its front end.
   */
  async outcome(): Promise<Outcome> {
    const { load } = this;
    await load.stop();
    const stored = await this.everythingStored();
    const counted = await this.counted();
    const sent = load.acknowledged.union(load.unknown);
    const frontEnds = Map.groupBy(stored.keys(), (callId) => callId.split('-')[0] ?? '');
    return {
      lost: [...load.acknowledged].filter((callId) => !stored.has(callId)),
      double: [
        ...[...stored].filter(([, exact]) => !exact).map(([callId]) => callId),
        ...[...counted].filter(([name, records]) => frontEnds.get(name)?.length !== records).map(([name]) => name),
      ],
      foreign: [...stored.keys()].filter((callId) => !sent.has(callId)),
    };
  }

  async stop(): Promise<void> {
    await this.load.stop();
    await this.records.close();
    await this.started.stopAll();
  }

  /**
   * What is stored, as soon as that is everything that was acknowledged, or when nothing has arrived for a long time. A
   * backlog may take any time, and the database that processes it is not slowed down by queries.
   */
  private async everythingStored(): Promise<ReadonlyMap<string, boolean>> {
    let [most, since] = [0, Date.now()];
    return eventually(
      'the last call',
      async () => {
        await sleep(ASK_EVERY_MS);
        const calls = await this.calls();
        if (calls !== undefined && calls > most) [most, since] = [calls, Date.now()];
        const isStalled = Date.now() - since > STALL_MS;
        if (most < this.load.acknowledged.size && !isStalled) return undefined;
        const stored = await this.stored();
        const isWhole = [...this.load.acknowledged].every((callId) => stored.has(callId));
        return isWhole || isStalled ? stored : undefined;
      },
      LONGEST_BACKLOG_MS,
    );
  }

  /** The number of calls; undefined while the database does not reply. */
  private async calls(): Promise<number | undefined> {
    const query = this.records.read((transaction) =>
      transaction.query<{ calls: number }>('select count(*)::integer as calls from calls'),
    );
    return query.then(
      ({ rows }) => rows[0]?.calls,
      () => undefined,
    );
  }

  /** Calls, and whether each consists of exactly one record, folded once. */
  async stored(): Promise<ReadonlyMap<string, boolean>> {
    const { rows } = await this.records.read((transaction) =>
      transaction.query<{ call_key: string; exact: boolean }>(
        `select call_key, version = 1 and (select count(*) from records where records.call_key = calls.call_key) = 1
           and state = 'active' as exact
         from calls`,
      ),
    );
    return new Map(rows.map(({ call_key, exact }) => [call_key, exact]));
  }

  /** The number of records, including copies, counted for each front end. */
  private async counted(): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.records.read((transaction) =>
      transaction.query<{ name_key: string; records: number }>(
        'select name_key, sum(records + duplicates)::integer as records from front_ends group by name_key',
      ),
    );
    return new Map(rows.map(({ name_key, records }) => [name_key, records]));
  }
}

export const NOTHING_WRONG = { lost: [], double: [], foreign: [] };
