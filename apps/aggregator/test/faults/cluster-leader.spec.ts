import { jest } from '@jest/globals';
import { RECORDS_STREAM } from '@ringdown/contracts/records';
import { Bus } from '@ringdown/nats';
import { NatsCluster } from '@ringdown/testing/servers/nats-cluster';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { BusReplicas, REPLICAS } from './bus-replicas.js';
import { reportFault, faultRepetitions } from './report.js';
import { NOTHING_WRONG, WholeFeed } from './whole-feed.js';

jest.setTimeout(1_800_000);

describe('records that were acknowledged by a cluster of three nats-servers', () => {
  const started = new Started();
  let cluster: NatsCluster;
  let feed: WholeFeed<NatsCluster>;
  let replicas: BusReplicas;

  beforeAll(async () => {
    cluster = await NatsCluster.start();
    feed = started.add(await WholeFeed.startOn(cluster, { settings: { BUS_REPLICAS: `${REPLICAS}` } }));
    const bus = await Bus.connect({ url: cluster.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
    replicas = new BusReplicas(bus, cluster);
    await assertReplicated();
  });
  afterAll(() => started.stopAll());

  async function assertReplicated(): Promise<void> {
    // Some are created only when records are read.
    await feed.storesOn(1);
    const names = await replicas.names();
    const numbers = await Promise.all(names.map(async (name) => [name, await replicas.replicasOf(name)]));
    expect(numbers.filter(([, number]) => number !== REPLICAS)).toEqual([]);
    expect(names).toEqual(expect.arrayContaining([RECORDS_STREAM, 'KV_AGGREGATORS', 'KV_PARTITION_OWNERS']));
    await replicas.catchUpAll();
  }

  it('are in the database, each once, after the leader of their stream was killed again and again', async () => {
    const { load } = feed;
    const tries = faultRepetitions(18);
    /** The killed one, and the next. */
    const leaders: [string, string][] = [];
    for (let round = 0; round < tries; round++) {
      await feed.storesOn(50);
      await replicas.catchUp(RECORDS_STREAM);
      const name = await replicas.leaderOf(RECORDS_STREAM);
      await cluster.kill(name);
      // Every second one has to catch up with what was stored without it.
      if (round % 2 === 0) {
        await feed.storesOn(50);
        leaders.push([name, await replicas.leaderOf(RECORDS_STREAM)]);
      }
      await cluster.restart(name);
    }
    await load.untilAcknowledged(50);
    const outcome = await feed.outcome();
    const fault = `kill of the leader of the replicated records, of three servers (${replicas.restarted} restarts of others)`;
    reportFault(fault, tries, load.acknowledged.size, outcome);
    expect(outcome).toEqual(NOTHING_WRONG);
    expect(leaders.filter(([killed, next]) => killed === next)).toEqual([]);
  });
});
