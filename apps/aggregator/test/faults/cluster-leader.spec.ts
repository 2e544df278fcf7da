import { jest } from '@jest/globals';
import { RECORDS_STREAM } from '@ringdown/contracts/records';
import { Bus } from '@ringdown/nats';
import { eventually, NatsCluster, quietLogger, Started } from '@ringdown/testing';
import { reportFault, triesOf } from './report.js';
import { NOTHING_WRONG, WholeFeed } from './whole-feed.js';

jest.setTimeout(1_800_000);

type StreamInfo = Awaited<ReturnType<Bus['jsm']['streams']['info']>>;

const REPLICAS = 3;
const CATCH_UP_MS = 30_000;

describe('records that were acknowledged by a cluster of three nats-servers', () => {
  const started = new Started();
  let cluster: NatsCluster;
  let feed: WholeFeed<NatsCluster>;
  let bus: Bus;
  /** Restarts of servers that did not catch up. */
  let restarted = 0;

  beforeAll(async () => {
    cluster = await NatsCluster.start();
    feed = started.add(await WholeFeed.startOn(cluster, { settings: { BUS_REPLICAS: `${REPLICAS}` } }));
    bus = await Bus.connect({ url: cluster.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
    await assertReplicated();
  });
  afterAll(() => started.stopAll());

  async function assertReplicated(): Promise<void> {
    // Some are created only when records are read.
    await feed.storesOn(1);
    const names = await bus.jsm.streams.names().next();
    const replicas = await Promise.all(names.map(async (name) => [name, await replicasOf(name)]));
    expect(replicas.filter(([, number]) => number !== REPLICAS)).toEqual([]);
    expect(names).toEqual(expect.arrayContaining([RECORDS_STREAM, 'KV_AGGREGATORS', 'KV_PARTITION_OWNERS']));
    for (const name of names) await catchUp(name);
  }

  async function replicasOf(stream: string): Promise<number> {
    return (await bus.jsm.streams.info(stream)).config.num_replicas;
  }

  /** Undefined while no server answers for the stream. */
  const infoOf = (stream: string): Promise<StreamInfo | undefined> =>
    bus.jsm.streams.info(stream).catch(() => undefined);

  const leader = (): Promise<string> =>
    eventually('the leader of the records', async () => (await infoOf(RECORDS_STREAM))?.cluster?.leader || undefined);

  /** Servers that the leader does not report as current; undefined while there is no leader. */
  async function behind(stream: string): Promise<readonly string[] | undefined> {
    const { leader: name, replicas = [] } = (await infoOf(stream))?.cluster ?? {};
    if (!name || replicas.length < REPLICAS - 1) return undefined;
    return replicas.filter(({ current, offline }) => !current || offline).map((replica) => replica.name);
  }

  /**
   * Resolves when all replicas have everything. After a restart of nats-server 2.10.27, its leader sometimes hears
   * nothing of it until its next restart, although it stores everything: restarted as an operator would.
   */
  async function catchUp(stream: string): Promise<void> {
    let patientUntil = Date.now() + CATCH_UP_MS;
    const isDone = async (): Promise<boolean> => {
      const late = await behind(stream);
      if (late?.length === 0) return true;
      const [name] = late ?? [];
      // The leader needs one of the others.
      if (name === undefined || late?.length !== 1 || Date.now() < patientUntil) return false;
      restarted++;
      await cluster.kill(name);
      await cluster.restart(name);
      patientUntil = Date.now() + CATCH_UP_MS;
      return false;
    };
    await eventually(`the replicas of ${stream}`, isDone, 300_000);
  }

  it('are in the database, each once, after the leader of their stream was killed again and again', async () => {
    const { load } = feed;
    const tries = triesOf(18);
    /** The killed one, and the next. */
    const leaders: [string, string][] = [];
    for (let round = 0; round < tries; round++) {
      await feed.storesOn(50);
      await catchUp(RECORDS_STREAM);
      const name = await leader();
      await cluster.kill(name);
      // Every second one has to catch up with what was stored without it.
      if (round % 2 === 0) {
        await feed.storesOn(50);
        leaders.push([name, await leader()]);
      }
      await cluster.restart(name);
    }
    await load.untilAcknowledged(50);
    const outcome = await feed.outcome();
    const fault = `kill of the leader of the replicated records, of three servers (${restarted} restarts of others)`;
    reportFault(fault, tries, load.acknowledged.size, outcome);
    expect(outcome).toEqual(NOTHING_WRONG);
    expect(leaders.filter(([killed, next]) => killed === next)).toEqual([]);
  });
});
