import { jest } from '@jest/globals';
import { Semaphore } from '@ringdown/concurrency';
import { PARTITIONS, RECORDS_STREAM } from '@ringdown/contracts/records';
import { PartitionReader, RecordsWindow } from '@ringdown/feed-bus';
import { ensureFeedStreams, offerBundles } from '@ringdown/feed-bus/streams';
import { OutageLog } from '@ringdown/observability';
import { eventually } from '@ringdown/testing/eventually';
import { loggedLines } from '@ringdown/testing/logged-lines';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { defaultRules } from '../src/calls/derive-call.js';
import { CallStore } from '../src/store/calls/call-store.js';
import { Database } from '../src/store/database/database.js';
import { FeedPartitions } from '../src/store/feed/feed-partitions.js';
import { History } from '../src/store/calls/history.js';
import { Dice } from '@ringdown/testing/fuzz/dice';
import { migrate } from '../src/store/database/migrations.js';
import { Surroundings } from './aggregator-under-test.js';
import { published, startXml } from './feed-examples.js';

jest.setTimeout(300_000);

const CALLS = 40;
const RECORDS = 24;
const SEEDS = [1, 2];
const SINGLE_SUBJECTS = 'ringdown.records.*';

/** Reads all partitions of which it knows, also those that another replica reads. */
class Replica {
  private readonly readers = new Map<number, PartitionReader>();
  private readonly database: Database;
  private readonly store: CallStore;
  readonly partitions: FeedPartitions;

  constructor(
    private readonly around: Surroundings,
    private readonly stored: Map<string, number[]>,
    wanted = PARTITIONS,
  ) {
    const logger = quietLogger();
    this.database = new Database({ url: around.database.url, poolSize: 4, logger });
    this.store = new CallStore({ database: this.database, rules: defaultRules, limitMs: 60_000 });
    this.partitions = new FeedPartitions({ database: this.database, wanted, logger });
  }

  async start(): Promise<void> {
    await ensureFeedStreams(this.around.bus, { recordsMaxAgeHours: 1, recordsMaxBytes: 64 * 1024 * 1024 });
    await migrate(this.database);
    await new History(this.database).prepare();
    await this.partitions.prepare();
    this.readAll();
  }

  async stop(): Promise<void> {
    await Promise.all([...this.readers.values()].map((reader) => reader.stop()));
    await this.database.close();
  }

  private readAll(): void {
    const batches = new Semaphore(3);
    const window = new RecordsWindow({ bus: this.around.bus, logger: quietLogger() });
    const outage = new OutageLog({ logger: quietLogger(), failure: 'failed', recovery: 'works' });
    for (let partition = this.readers.size; partition < this.partitions.count; partition++) {
      const reader = new PartitionReader({
        bus: this.around.bus,
        window,
        partition,
        partitions: () => this.partitions.count,
        logger: quietLogger(),
        outage,
        batches,
        loadPosition: async () => {
          await this.partitions.load();
          this.readAll();
          return (await this.store.positions()).get(partition);
        },
        handle: async (batch) => {
          await this.store.commit(batch);
          for (const { record } of batch.records) {
            const { callId, cseq } = record.connection;
            this.stored.set(callId, [...(this.stored.get(callId) ?? []), Number(cseq)]);
          }
        },
        onPoison: () => Promise.reject(new Error('no such message was published')),
      });
      this.readers.set(partition, reader);
      reader.start();
    }
  }
}

describe('partitions of the feed', () => {
  let around: Surroundings;

  beforeEach(async () => {
    around = await Surroundings.start();
  });
  afterEach(() => around.stop());

  it.each(SEEDS)(
    'store each record once and in the order of its call, while their number is raised (seed %i)',
    async (seed) => {
      const random = new Dice(seed);
      const stored = new Map<string, number[]>();
      const replicas = [new Replica(around, stored)];
      const steps = Array.from({ length: RECORDS }, (_, n) => n + 1);
      // One in each third of the records; the first may be before anything was read.
      const raises = new Map([16, 32, 64].map((count, n) => [n * (RECORDS / 3) + random.below(RECORDS / 3), count]));
      try {
        await replicas[0]?.start();
        for (const cseq of steps) {
          const wanted = raises.get(cseq - 1);
          const raising = wanted === undefined ? undefined : new Replica(around, stored, wanted);
          if (raising !== undefined) replicas.push(raising);
          const ids = Array.from({ length: CALLS }, (_, n) => `call-${seed}-${n}`);
          await Promise.all([
            raising?.start(),
            around.publish(...ids.map((callId) => published(startXml({ callId, cseq })))),
          ]);
          // The next records are in one message, or in one for each partition.
          if (random.below(2) === 0) await offerBundles(around.bus);
          else await around.bus.jsm.streams.update(RECORDS_STREAM, { subjects: [SINGLE_SUBJECTS] });
          await around.bundles.check();
        }
        const records = (): number => [...stored.values()].reduce((sum, of) => sum + of.length, 0);
        await eventually('all records to be stored', () => records() >= CALLS * RECORDS);
        expect([...stored.values()]).toEqual(Array.from({ length: CALLS }, () => steps));
      } finally {
        for (const replica of replicas) await replica.stop();
      }
    },
  );

  it('are shared by aggregators of which only one has the new setting, and are never made fewer', async () => {
    const first = await around.startAggregator();
    const partitionsOf = (each: typeof first): Promise<number> =>
      each.metric(/^ringdown_aggregator_partitions (\d+)/m).then(Number);
    await eventually('8 partitions', async () => (await partitionsOf(first)) === PARTITIONS);
    const { logger, lines } = loggedLines();
    const second = await around.startAggregator({ FEED_PARTITIONS: '32' }, logger);
    for (const each of [first, second])
      await eventually('a half of 32 partitions', async () => (await partitionsOf(each)) === 16);
    // Partitions of one subject wait for the same messages.
    const metrics = await first.metrics.registry.metrics();
    const series = metrics.matchAll(/^ringdown_aggregator_backlog_messages\{partition="(\d+)",subject="(\d+)"\}/gm);
    const subjects = [...series].map(([, partition, subject]) => [Number(partition), Number(subject)]);
    expect(subjects.length).toBeGreaterThan(0);
    expect(subjects).toEqual(subjects.map(([partition = 0]) => [partition, partition % PARTITIONS]));
    await second.stop();
    const third = await around.startAggregator({ FEED_PARTITIONS: '16' }, logger);
    for (const each of [first, third])
      await eventually('still a half of 32', async () => (await partitionsOf(each)) === 16);
    expect(lines.map(({ msg }) => msg)).toEqual(
      expect.arrayContaining([
        'the feed is divided into more partitions',
        'FEED_PARTITIONS is not applied: partitions are never made fewer',
      ]),
    );
    await around.publish(...Array.from({ length: 64 }, (_, n) => published(startXml({ callId: `wide-${n}` }))));
    for (let n = 0; n < 64; n++)
      expect(await around.call(first, `wide-${n}`)).toMatchObject({ state: 'active', version: 1 });
  });
});
