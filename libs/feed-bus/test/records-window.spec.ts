import { jest } from '@jest/globals';
import { Semaphore } from '@ringdown/concurrency';
import {
  bundleSubject,
  partitionOfCall,
  PARTITIONS,
  RECORDS_STREAM,
  recordsSubject,
  type PublishedRecord,
} from '@ringdown/contracts/records';
import { Bus } from '@ringdown/nats';
import { OutageLog } from '@ringdown/observability';
import { eventually } from '@ringdown/testing/eventually';
import { Dice } from '@ringdown/testing/fuzz/dice';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { randomUUID } from 'node:crypto';
import { BatchBytes } from '../src/batch-bytes.js';
import { PartitionReader, RecordsWindow, type Position, type ReadBatch } from '../src/index.js';
import { ensureFeedStreams, offerBundles } from '../src/doors/streams.js';

const LIMITS = { recordsMaxAgeHours: 1, recordsMaxBytes: 2 ** 26 };
const ALL = Array.from({ length: PARTITIONS }, (_, partition) => partition);
/** One call in each of the partitions. */
const CALLS = ALL.map((partition) => callIn(partition));
const quietOutage = new OutageLog({ logger: quietLogger(), failure: 'failed', recovery: 'works' });

function callIn(partition: number): string {
  for (let n = 0; ; n++) if (partitionOfCall(`call ${n}`) === partition) return `call ${n}`;
}

function record(partition: number, id: string): PublishedRecord {
  const connection = { callId: CALLS[partition] ?? '', frontEnds: [] };
  return { id, receivedAt: 1, xml: '<x/>', record: { connection, events: [] } };
}

/** What a database has of each partition: a batch is stored only behind the position that it was read behind. */
class Stored {
  readonly ids = ALL.map((): string[] => []);
  readonly positions = new Map<number, Position>();
  /** Before a batch of a partition is stored; rejects when it cannot be. */
  before: (partition: number) => Promise<void> = async () => undefined;

  async store({ partition, before, after, records }: ReadBatch): Promise<void> {
    await this.before(partition);
    const { sequence } = this.positions.get(partition) ?? {};
    if (sequence !== before?.sequence) throw new Error('the position has moved');
    this.positions.set(partition, after);
    this.ids[partition]?.push(...records.map(({ id }) => id));
  }
}

/** A process that reads some partitions by one window. */
class Replica {
  readonly readers = new Map<number, PartitionReader>();
  readonly window: RecordsWindow;
  private readonly batches = new Semaphore(3);

  constructor(
    readonly bus: Bus,
    private readonly stored: Stored,
  ) {
    this.window = new RecordsWindow({ bus, logger: quietLogger(), maxBytes: 2_000, standsMs: 100 });
  }

  begin(partition: number): void {
    const { bus, window, batches, stored } = this;
    const reader = new PartitionReader({
      bus,
      window,
      partition,
      partitions: () => PARTITIONS,
      logger: quietLogger(),
      outage: quietOutage,
      batches,
      loadPosition: async () => stored.positions.get(partition),
      handle: (batch) => stored.store(batch),
      onPoison: () => Promise.reject(new Error('no such message was published')),
    });
    this.readers.set(partition, reader);
    reader.start();
  }

  async end(partition: number): Promise<void> {
    const reader = this.readers.get(partition);
    this.readers.delete(partition);
    await reader?.stop();
  }
}

describe('the window of the stream of records', () => {
  const started = new Started();
  let nats: TestNats;
  let bus: Bus;
  let stored: Stored;
  let replicas: Replica[];
  let expected: string[][];
  /** Opened after each test at the latest. */
  let gate: PromiseWithResolvers<void>;
  /** Behind each message: spaces after JSON change nothing for its reader. */
  let padding = Buffer.alloc(0);

  async function connected(): Promise<Bus> {
    const each = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => each.close() });
    return each;
  }

  beforeAll(async () => {
    nats = started.add(await startNats());
    bus = await connected();
  });
  beforeEach(async () => {
    await ensureFeedStreams(bus, LIMITS);
    await offerBundles(bus);
    stored = new Stored();
    replicas = [];
    expected = ALL.map(() => []);
    gate = Promise.withResolvers();
    padding = Buffer.alloc(0);
  });
  afterEach(async () => {
    gate.resolve();
    await Promise.all(replicas.flatMap((replica) => ALL.map((partition) => replica.end(partition))));
    await bus.jsm.streams.delete(RECORDS_STREAM);
  });
  afterAll(() => started.stopAll());

  async function replica(partitions: readonly number[]): Promise<Replica> {
    const made = new Replica(await connected(), stored);
    replicas.push(made);
    for (const partition of partitions) made.begin(partition);
    return made;
  }

  /** One message with a record for each of these partitions; stored once, however often it is tried. */
  async function publish(...partitions: readonly number[]): Promise<void> {
    const parts = partitions
      .toSorted((a, b) => a - b)
      .map((partition) => {
        const of = expected[partition] ?? [];
        const id = `${partition}-${of.length}`;
        of.push(id);
        const json = JSON.stringify(record(partition, id));
        return { partition, number: of.length, records: [{ json, bytes: Buffer.byteLength(json) }] };
      });
    const [first, ...more] = parts;
    if (first === undefined) return;
    const isOne = more.length === 0;
    const subject = isOne ? recordsSubject(first.partition) : bundleSubject(parts.map(({ partition }) => partition));
    const bytes = new BatchBytes();
    const body = isOne ? bytes.of({ collector: 'ab', number: first.number }, first.records) : bytes.bundle('ab', parts);
    const msgID = randomUUID();
    const tried = (): Promise<boolean> =>
      bus.js.publish(subject, Buffer.concat([body, padding]), { msgID }).then(
        () => true,
        () => false,
      );
    await eventually('the message to be stored', tried);
  }

  function isAllStored(partitions = ALL): boolean {
    return partitions.every((partition) => (stored.ids[partition]?.length ?? 0) >= (expected[partition]?.length ?? 0));
  }

  /** One for each window. None delivers by subject, for which nats-server 2.10 reads a block of the stream again for each message. */
  async function countConsumers(): Promise<number> {
    const found = await bus.jsm.consumers.list(RECORDS_STREAM).next();
    expect(found.map(({ config }) => config.filter_subjects ?? config.filter_subject).filter(Boolean)).toEqual([]);
    return found.length;
  }

  async function isOneConsumer(): Promise<boolean> {
    return (await countConsumers()) === 1;
  }

  it.each([1, 2, 3])(
    'gives each partition its records once and in order: failures, lost connections, hand-over (seed %i)',
    async (seed) => {
      const dice = new Dice(seed);
      const failing = new Set<number>();
      stored.before = async (partition) => {
        if (failing.delete(partition)) throw new Error('the batch cannot be stored');
        if (dice.onceIn(4)) await new Promise(setImmediate);
      };
      const [first, second] = [await replica(ALL), await replica([])];
      const holders = new Map(ALL.map((partition) => [partition, first]));
      for (let step = 0; step < 120; step++) {
        await publish(...ALL.filter(() => dice.onceIn(3)));
        if (dice.onceIn(12)) failing.add(dice.of(ALL));
        if (dice.onceIn(25)) void dice.of(replicas).bus.connection.reconnect();
        if (dice.onceIn(40)) await deleteConsumer(dice);
        if (dice.onceIn(12)) await handOver(dice.of(ALL), dice.onceIn(2));
        if (step === 60) {
          await nats.kill();
          await nats.restart();
        }
      }
      await eventually('all records', () => isAllStored());
      expect(stored.ids).toEqual(expected);

      /** Both may read it for a moment, as when one was suspended. */
      async function handOver(partition: number, together: boolean): Promise<void> {
        const from = holders.get(partition) ?? first;
        const to = from === first ? second : first;
        holders.set(partition, to);
        if (!together) await from.end(partition);
        to.begin(partition);
        if (together) await from.end(partition);
      }
    },
  );

  async function deleteConsumer(dice: Dice): Promise<void> {
    const found = await bus.jsm.consumers.list(RECORDS_STREAM).next();
    // Its reader may have deleted it meanwhile.
    if (found.length > 0) await bus.jsm.consumers.delete(RECORDS_STREAM, dice.of(found).name).catch(() => false);
  }

  it('does not wait for a partition that stands, which reads alone until it has caught up', async () => {
    stored.before = (partition) => (partition === 3 ? gate.promise : Promise.resolve());
    await replica(ALL);
    const others = ALL.filter((partition) => partition !== 3);
    for (let n = 0; n < 60; n++) await publish(...ALL);
    await eventually('the others', () => isAllStored(others));
    expect(stored.ids[3]).toEqual([]);
    gate.resolve();
    await eventually('all records', () => isAllStored());
    await publish(...ALL);
    await eventually('all records', () => isAllStored());
    expect(stored.ids).toEqual(expected);
    expect(await eventually('one consumer for all', isOneConsumer)).toBe(true);
  });

  it('is not read again for a partition that is far behind, which has a window of its own until it is not', async () => {
    const reading = await replica(ALL);
    await publish(...ALL);
    await eventually('the first records', () => isAllStored());
    await reading.end(5);
    padding = Buffer.alloc(300_000, ' ');
    for (let n = 0; n < 120; n++) await publish(...ALL);
    await eventually('the others', () => isAllStored(ALL.filter((partition) => partition !== 5)));
    stored.before = () => gate.promise;
    reading.begin(5);
    await eventually('a window of its own', async () => (await countConsumers()) === 2);
    gate.resolve();
    await eventually('all records', () => isAllStored());
    expect(await eventually('one consumer for all', isOneConsumer)).toBe(true);
    await publish(...ALL);
    await eventually('all records', () => isAllStored());
    expect(stored.ids).toEqual(expected);
  });

  it('is not read again for a partition that fails again and again, and has it back when that is over', async () => {
    const reading = await replica(ALL);
    await publish(...ALL);
    await eventually('the first records', () => isAllStored());
    let failures = 0;
    let isMended = false;
    stored.before = async (partition) => {
      if (partition !== 3 || isMended) return;
      failures++;
      throw new Error('the batch cannot be stored');
    };
    const joining = jest.spyOn(reading.window, 'join');
    await publish(3);
    await eventually('some failures', () => failures >= 4);
    expect(joining).not.toHaveBeenCalled();
    isMended = true;
    await publish(...ALL);
    await eventually('all records', () => isAllStored());
    expect(await eventually('one consumer for all', isOneConsumer)).toBe(true);
    expect(stored.ids).toEqual(expected);
  });

  it('begins where the stream ends for partitions that have nothing to read', async () => {
    await publish(0);
    await publish(1);
    for (let n = 0; n < 20; n++) await publish(2);
    await replica(ALL);
    await eventually('all records', () => isAllStored());
    await eventually('one consumer for all', isOneConsumer);
    const [only] = await bus.jsm.consumers.list(RECORDS_STREAM).next();
    expect(only?.num_pending).toBe(0);
    expect(stored.ids).toEqual(expected);
  });
});
