import { BUNDLES_SUBJECT, PARTITIONS, RECORDS_STREAM } from '@ringdown/contracts/records';
import { Bucket } from '@ringdown/nats/buckets';
import { eventually } from '@ringdown/testing/eventually';
import { loggedLines } from '@ringdown/testing/logged-lines';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Client } from 'pg';
import { PartitionLeases } from '../src/feed/partition-leases.js';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { callIdIn, endXml, published, startXml } from './feed-examples.js';
import { recordsInDatabase } from './stored-records.js';

const CALLS = 200;

describe('aggregators that read messages with records of several partitions', () => {
  let around: Surroundings;

  beforeEach(async () => {
    around = await Surroundings.start();
  });
  afterEach(() => around.stop());

  async function areOffered(): Promise<boolean> {
    return (await around.bus.jsm.streams.info(RECORDS_STREAM)).config.subjects.includes(BUNDLES_SUBJECT);
  }

  async function query<R extends object>(text: string): Promise<readonly R[]> {
    const client = new Client({ connectionString: around.database.url });
    await client.connect();
    try {
      return (await client.query<R>(text)).rows;
    } finally {
      await client.end();
    }
  }

  async function offered(): Promise<void> {
    await eventually('the offer of bundles', areOffered);
    await around.bundles.check();
    expect(around.bundles.isOpen).toBe(true);
  }

  function share(replica: RunningAggregator, partitions: number): Promise<boolean> {
    const line = /^ringdown_aggregator_partitions (\d+)/m;
    return eventually(`a share of ${partitions}`, async () => Number(await replica.metric(line)) === partitions);
  }

  /** A start and an end of each call, in all partitions: the starts in one message, then the ends. */
  async function publishCalls(prefix: string, from: number, to: number): Promise<void> {
    const records = Array.from({ length: to - from }, (_, n) => ({
      callId: `${prefix}-${from + n}`,
      frontEnd: prefix,
    }));
    await around.publish(...records.map((record) => published(startXml(record))));
    await around.publish(...records.map((record) => published(endXml(record))));
  }

  async function exactCalls(replica: RunningAggregator, prefix: string): Promise<number> {
    const path = `/api/calls?frontEnd=${prefix}&limit=100`;
    const calls = await replica.all<{ state: string; version: number }>(path, around.operator);
    return calls.filter(({ state, version }) => state === 'ended' && version === 2).length;
  }

  it('are not said to have no share of the partitions when the offer of them fails', async () => {
    const { logger, lines } = loggedLines();
    const leases = new PartitionLeases({
      bus: around.bus,
      logger,
      partitions: () => 1,
      onAcquire: () => undefined,
      onRelease: async () => true,
      offerBundles: () => Promise.reject(new Error('the database does not answer')),
    });
    leases.start();
    const warnings = (): string[] => lines.filter(({ level }) => level === 40).map(({ msg }) => msg);
    await eventually('a warning', () => warnings().length > 0);
    await leases.stop();
    expect(warnings()).toEqual(['bundles could not be offered to the collectors; trying again']);
  });

  it('are looked for now and then once they are offered, and in each round until then', async () => {
    let rounds = 0;
    const offers: number[] = [];
    const leases = new PartitionLeases({
      bus: around.bus,
      logger: quietLogger(),
      partitions: () => {
        rounds++;
        return 1;
      },
      onAcquire: () => undefined,
      onRelease: async () => true,
      offerBundles: async () => {
        offers.push(rounds);
        if (offers.length < 3) throw new Error('the database does not answer');
      },
      leaseMs: 540,
    });
    leases.start();
    await eventually('some rounds', () => rounds > 24);
    await leases.stop();
    expect(offers.slice(0, 5)).toEqual([1, 2, 3, 13, 23]);
  });

  it('keep one from before packed records, suspended meanwhile, from storing anything', async () => {
    const aggregator = await around.startAggregator();
    await offered();
    await around.publish(published(startXml({ callId: 'moved' })));
    await around.call(aggregator, 'moved');
    // What the version before this one does with a batch, and the one before that.
    for (const table of ['feed_layout', 'feed_partitions']) {
      const moved = query(
        `update partition_positions set sequence = sequence
         where ${PARTITIONS} = (select partitions from ${table}) returning partition`,
      );
      await expect(moved).rejects.toThrow(`relation "${table}" does not exist`);
    }
    expect(await query('select partitions from feed_partitioning')).toEqual([{ partitions: PARTITIONS }]);
  });

  it('take the partitions of an older one that is alive, as it can store nothing, and offer bundles beside it', async () => {
    const { bus } = around;
    const replicas = await Bucket.open({ bus, name: 'AGGREGATORS', maxAgeMs: 5_400, parse: Object });
    const owners = await Bucket.open({ bus, name: 'PARTITION_OWNERS', maxAgeMs: 0, parse: Object });
    for (let partition = 0; partition < PARTITIONS; partition++)
      await owners.put(String(partition), { replica: 'older' });
    await replicas.put('older', { readsBundles: true });
    const keeping = setInterval(() => void replicas.put('older', { readsBundles: true }), 1_000);
    try {
      expect(await share(await around.startAggregator(), PARTITIONS)).toBe(true);
      expect(await replicas.entries()).toHaveProperty('size', 2);
      await offered();
    } finally {
      clearInterval(keeping);
    }
  });

  it('read both forms when the feed is divided into more partitions', async () => {
    const first = await around.startAggregator();
    await publishCalls('single', 0, 20);
    await offered();
    await publishCalls('eight', 0, 20);
    const second = await around.startAggregator({ FEED_PARTITIONS: '32' });
    await publishCalls('more', 0, 20);
    await share(second, 16);
    await publishCalls('after', 0, 20);
    for (const prefix of ['single', 'eight', 'more', 'after'])
      await eventually(`the calls of ${prefix}`, async () => (await exactCalls(first, prefix)) === 20);
    expect(await query('select sum(records)::integer as records from front_ends')).toEqual([{ records: 160 }]);
    expect(await areOffered()).toBe(true);
  });

  it('hand partitions over in the middle of such messages, and store each record once', async () => {
    const first = await around.startAggregator();
    await share(first, PARTITIONS);
    await offered();
    const second = await around.startAggregator();
    const publishing = (async () => {
      for (let at = 0; at < CALLS; at += 20) await publishCalls('moving', at, at + 20);
    })();
    await share(second, PARTITIONS / 2);
    await first.stop();
    await publishing;
    await share(second, PARTITIONS);
    await eventually('all calls', async () => (await exactCalls(second, 'moving')) === CALLS);
    const rows = await query<{ records: number }>('select sum(records)::integer as records from front_ends');
    expect(rows).toEqual([{ records: 2 * CALLS }]);
  });

  it('let a partition that lags behind read a message again that the others have stored', async () => {
    const before = await around.startAggregator();
    await offered();
    await publishCalls('lag', 0, 40);
    await eventually('the calls', async () => (await exactCalls(before, 'lag')) === 40);
    await around.stopAggregators();
    // As after a kill between the transactions of two partitions: nothing of this one is stored.
    const behind = callIdIn(3, 'behind');
    const [{ sequence } = { sequence: '' }] = await query<{ sequence: string }>(
      'select sequence from partition_positions where partition = 3',
    );
    const ids = [behind, ...Array.from({ length: 30 }, (_, n) => `other-${n}`)];
    await around.publish(...ids.map((callId) => published(startXml({ callId, frontEnd: 'again' }))));
    const other = await around.startAggregator();
    await around.call(other, behind);
    await eventually('the other calls', async () => {
      const path = '/api/calls?frontEnd=again&limit=100';
      return (await other.all(path, around.operator)).length === ids.length;
    });
    await around.stopAggregators();
    const [first] = await query<{ digest: string }>('select digest from partition_positions where partition = 3');
    expect(first?.digest.split(' ')[0]).not.toBe(sequence);
    await query(`delete from partition_positions where partition = 3`);
    const again = await around.startAggregator();
    await eventually('the records that are read again', async () => {
      const counted = Number(await again.metric(/records_total{outcome="(?:duplicate|reread)"} ([1-9]\d*)/));
      return counted > 0;
    });
    expect(await recordsInDatabase(query)).toHaveLength(2 * 40 + ids.length);
  });
});
