import { BusReplicas } from '@ringdown/aggregator/test/faults/bus-replicas.js';
import { FeedLedger } from '@ringdown/aggregator/test/faults/feed-ledger.js';
import { startXml } from '@ringdown/aggregator/test/feed-examples.js';
import { PASSWORD, writePeople } from '@ringdown/application-people/test/running-services.js';
import { Bus } from '@ringdown/nats';
import { eventually } from '@ringdown/testing/eventually';
import { FeedLoad } from '@ringdown/testing/feed-load';
import { NatsCluster } from '@ringdown/testing/servers/nats-cluster';
import { PostgresServer } from '@ringdown/testing/servers/postgres-server';
import { programFile } from '@ringdown/testing/program-file';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { ServiceProcess, type ServiceProcessOptions } from '@ringdown/testing/service-process';
import { SmallDisk } from '@ringdown/testing/small-disk';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Chat } from './chat.js';
import { ClusterNetwork } from './cluster-network.js';

export const SERVICES = ['collector', 'aggregator', 'application-people', 'discovery-auth', 'subscribers'] as const;
export type ServiceName = (typeof SERVICES)[number];

const NODES = ['one', 'two', 'three'] as const;
/** The server of which the disk can be filled. */
export const SMALL_NODE = NODES[1];
const DISK_MEGABYTES = 512;
const SENDERS = 2;
/** Leaves processor time: the recovery is measured, not the speed. */
const PACE_MS = 20;
/** Of each service, in the description of a failure. */
const LOG_LINES = 8;
const SERVER_LOG_LINES = 80;
const STAFF = [
  { user: 'alice', name: 'Alice Archer' },
  { user: 'bob', name: 'Bob Baker' },
];

type Pair = readonly [ServiceProcess, ServiceProcess];

/**
 * Three nats-servers on machines of their own, a primary and a standby of PostgreSQL, and two of each service as processes, under the
 * load of a feed and of clients that write and poll.
 */
export class ClusterSystem {
  private constructor(
    private readonly started: Started,
    readonly network: ClusterNetwork,
    readonly bus: NatsCluster,
    readonly disk: SmallDisk,
    /** The primary first. */
    public databases: readonly [PostgresServer, PostgresServer],
    readonly services: Readonly<Record<ServiceName, Pair>>,
    readonly feed: FeedLoad,
    readonly ledger: FeedLedger,
    readonly chat: Chat,
    readonly replicas: BusReplicas,
  ) {}

  static async start(): Promise<ClusterSystem> {
    const started = new Started();
    try {
      const folder = mkdtempSync(join(tmpdir(), 'ringdown-cluster-'));
      started.add({ stop: () => Promise.resolve(rmSync(folder, { recursive: true, force: true })) });
      const file = join(folder, 'people.json');
      await writePeople(file, STAFF);
      const network = started.add(await ClusterNetwork.start(NODES));
      const disk = started.add(SmallDisk.mount(DISK_MEGABYTES));
      const [bus, databases] = await Promise.all([startBus(started, network, disk), startDatabases(started)]);
      const url = `postgres://ringdown@${databases.map(({ address }) => address).join(',')}/postgres`;
      const env = { DATABASE_URL: url, PEOPLE_FILE: file, DATA_DIR: folder };
      const services = await startServices(started, bus, env);
      const { collector: collectors, 'application-people': people } = services;
      const [auth] = services['discovery-auth'];
      const chat = started.add(
        await Chat.start(
          auth.base,
          people.map(({ base }) => base),
        ),
      );
      const feed = started.add(
        new FeedLoad({
          bases: collectors.map(({ base }) => base),
          senders: SENDERS,
          paceMs: PACE_MS,
          record: startXml,
        }),
      );
      const ledger = started.add(new FeedLedger(url, feed));
      const watching = await Bus.connect({ url: bus.urls, name: 'test', logger: quietLogger() });
      started.add({ stop: () => watching.close() });
      const replicas = new BusReplicas(watching, bus);
      return new ClusterSystem(started, network, bus, disk, databases, services, feed, ledger, chat, replicas);
    } catch (error) {
      await started.stopAll();
      throw error;
    }
  }

  /** Resolves when the feed, messages, polls and sign-ins work: what happened until now has been stored or has arrived. */
  async works(): Promise<void> {
    const feeding = this.feed.untilAcknowledged(10).then(() => this.ledger.storesAll());
    await Promise.all([feeding, this.chat.delivers(), this.signsIn()]);
  }

  /** The standby takes over. Returns what makes the old primary its standby. */
  async failOver(): Promise<() => Promise<void>> {
    const [primary, standby] = this.databases;
    await primary.kill();
    await standby.promote();
    return async () => {
      await primary.follow(standby);
      this.databases = [standby, primary];
    };
  }

  /** What the services and the ledger report, newest last, for a failure that must be explained. */
  problems(): string {
    const logs = SERVICES.flatMap((name) =>
      this.services[name].map((service, index) => {
        const lines = service
          .log(40)
          .slice(-LOG_LINES)
          .map((line) => JSON.stringify(line));
        return [`${name} ${index}${service.pid === undefined ? ' (not running)' : ''}:`, ...lines].join('\n  ');
      }),
    );
    const servers = this.bus.names.map((name) =>
      [`nats-server ${name}:`, ...this.bus.problemsOf(name, SERVER_LOG_LINES)].join('\n  '),
    );
    return [this.ledger.problem(), ...logs, ...servers].join('\n');
  }

  stop(): Promise<void> {
    return this.started.stopAll();
  }

  private async signsIn(): Promise<void> {
    const body = new URLSearchParams({ grant_type: 'password', username: 'alice', password: PASSWORD });
    const isSignedIn = async ({ base }: ServiceProcess): Promise<boolean> => {
      const signal = AbortSignal.timeout(5_000);
      const response = await fetch(`${base}/uc/token`, { method: 'POST', body, signal }).catch(() => undefined);
      await response?.body?.cancel();
      return response?.status === 200;
    };
    // As a load balancer: the other one when one does not respond.
    const anywhere = async (): Promise<boolean> => {
      for (const replica of this.services['discovery-auth']) if (await isSignedIn(replica)) return true;
      return false;
    };
    await eventually('a sign-in', anywhere, 120_000);
  }
}

async function startBus(started: Started, network: ClusterNetwork, disk: SmallDisk): Promise<NatsCluster> {
  const { seats } = network;
  const small = seats[SMALL_NODE];
  const withDisk = small && { [SMALL_NODE]: { ...small, folder: join(disk.folder, 'bus') } };
  return started.add(await NatsCluster.start({ ...seats, ...withDisk }));
}

async function startDatabases(started: Started): Promise<readonly [PostgresServer, PostgresServer]> {
  const primary = started.add(await PostgresServer.start());
  return [primary, started.add(await primary.standby())];
}

async function startServices(
  started: Started,
  bus: NatsCluster,
  env: Readonly<Record<string, string>>,
): Promise<Readonly<Record<ServiceName, Pair>>> {
  const start = async (name: ServiceName): Promise<ServiceProcess> =>
    started.add(await ServiceProcess.start(definitionOf(name, bus, env)));
  const pair = async (name: ServiceName): Promise<Pair> => {
    const first = await start(name);
    return [first, await start(name)];
  };
  // All have ended or started before anything is stopped.
  const pairs = await Promise.allSettled(SERVICES.map(pair));
  const [collector, aggregator, people, auth, subscribers] = pairs.map((result) => {
    if (result.status === 'rejected') throw result.reason;
    return result.value;
  });
  if (!collector || !aggregator || !people || !auth || !subscribers) throw new Error('a service is missing');
  return { collector, aggregator, 'application-people': people, 'discovery-auth': auth, subscribers };
}

function definitionOf(
  name: ServiceName,
  bus: NatsCluster,
  env: Readonly<Record<string, string>>,
): ServiceProcessOptions {
  const listens = name === 'collector' ? 'COLLECTOR' : 'SERVICE';
  return {
    main: programFile(name),
    running: `${name} is running`,
    portSetting: `${listens}_PORT`,
    env: {
      NATS_URL: bus.urlOf(name),
      BUS_REPLICAS: String(NODES.length),
      [`${listens}_HOST`]: '127.0.0.1',
      ...(name === 'collector' ? {} : env),
      EVENTS_MAX_WAIT_SECONDS: '5',
      // Messages wait for clients whose replica was killed.
      MESSAGE_PICK_UP_SECONDS: '600',
    },
  };
}
