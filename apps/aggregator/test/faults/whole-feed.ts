import { startPostgres, type TestDatabase } from '@ringdown/testing/servers/database';
import { FeedLoad } from '@ringdown/testing/feed-load';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { programFile } from '@ringdown/testing/program-file';
import { ServiceProcess } from '@ringdown/testing/service-process';
import { Started } from '@ringdown/testing/started';
import { startXml } from '../feed-examples.js';
import { FeedLedger, type Outcome } from './feed-ledger.js';

const SENDERS = 4;

function mainOf(app: string): string {
  return programFile(app);
}

/** What the services need from a bus. */
interface FeedBus {
  urlOf(service: 'collector' | 'aggregator'): string;
}

export interface FeedOptions {
  /** Where the database keeps its files; everything in it is removed at the end. */
  readonly databaseFolder?: string;
  /** A database that runs already; it is stopped with the rest. Left out: a PostgreSQL of its own. */
  readonly database?: TestDatabase;
  /** What the names of its front ends begin with. */
  readonly frontEnds?: string;
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

/** The servers of the feed, each in its own process: nats-server, PostgreSQL, a collector and an aggregator. */
export class WholeFeed<B extends FeedBus = TestNats> {
  readonly load: FeedLoad;
  private readonly ledger: FeedLedger;

  private constructor(
    private readonly started: Started,
    readonly bus: B,
    readonly database: TestDatabase,
    readonly collector: ServiceProcess,
    readonly aggregator: ServiceProcess,
    frontEnds: string | undefined,
  ) {
    this.load = new FeedLoad({ bases: [collector.base], senders: SENDERS, frontEnds, record: startXml });
    this.ledger = new FeedLedger(database.url, this.load);
  }

  static async start(options: WholeFeedOptions = {}): Promise<WholeFeed> {
    const { busFolder } = options;
    const bus = await startNats(busFolder === undefined ? {} : { folder: busFolder });
    return WholeFeed.startOn(bus, options);
  }

  /** On a bus that runs already; it is stopped with the rest, or when the start fails. */
  static async startOn<B extends FeedBus & { stop(): Promise<void> }>(
    bus: B,
    { databaseFolder, database: given, frontEnds, settings, collectorEnv, aggregatorEnv }: FeedOptions,
  ): Promise<WholeFeed<B>> {
    const started = new Started();
    try {
      started.add(bus);
      const folder = databaseFolder === undefined ? {} : { folder: databaseFolder };
      const database = started.add(given ?? (await startPostgres({ own: true, ...folder })));
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
      return new WholeFeed(started, bus, database, collector, aggregator, frontEnds);
    } catch (error) {
      await started.stopAll();
      throw error;
    }
  }

  storesOn(records: number): Promise<void> {
    return this.ledger.storesOn(records);
  }

  storesAll(): Promise<void> {
    return this.ledger.storesAll();
  }

  outcome(): Promise<Outcome> {
    return this.ledger.outcome();
  }

  stored(): Promise<ReadonlyMap<string, boolean>> {
    return this.ledger.stored();
  }

  async stop(): Promise<void> {
    await this.load.stop();
    await this.ledger.stop();
    await this.started.stopAll();
  }
}

export { NOTHING_WRONG } from './feed-ledger.js';
