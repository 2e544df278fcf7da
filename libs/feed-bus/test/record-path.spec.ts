import { Semaphore } from '@ringdown/concurrency';
import {
  partitionOfCall,
  PARTITIONS,
  RECORDS_STREAM,
  recordsSubject,
  type PublishedRecord,
} from '@ringdown/contracts/records';
import { Bus, BusUnavailable } from '@ringdown/nats';
import { OutageLog } from '@ringdown/observability';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { PartitionReader, RecordPublisher, RecordsWindow, RejectedRecords, type Position } from '../src/index.js';
import { ensureFeedStreams } from '../src/doors/streams.js';

const limits = { recordsMaxAgeHours: 1, recordsMaxBytes: 64 * 1024 * 1024 };

const quietOutage = new OutageLog({ logger: quietLogger(), failure: 'failed', recovery: 'works' });

function record(callId: string, id: string): PublishedRecord {
  return { id, receivedAt: 1, xml: '<x/>', record: { connection: { callId, frontEnds: [] }, events: [] } };
}

describe('the durable path of records', () => {
  let nats: TestNats;
  let bus: Bus;
  /** For a publisher with a deadline that a slow bus on a busy machine meets. */
  let patient: { readonly bus: Bus; readonly deadlineMs: number };
  const stops: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    nats = await startNats();
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    await ensureFeedStreams(bus, limits);
    patient = { bus, deadlineMs: 60_000 };
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  afterAll(async () => {
    await bus.close();
    await nats.stop();
  });

  /** Reads a partition and stores its position like a database would: together with the records. */
  function reader(
    partition: number,
    from?: Position,
  ): { ids: string[]; poison: number[]; position: Position | undefined } {
    const seen: { ids: string[]; poison: number[]; position: Position | undefined } = {
      ids: [],
      poison: [],
      position: from,
    };
    const partitionReader = new PartitionReader({
      partitions: () => PARTITIONS,
      outage: quietOutage,
      batches: new Semaphore(1),
      bus,
      window: new RecordsWindow({ bus, logger: quietLogger() }),
      partition,
      logger: quietLogger(),
      loadPosition: async () => seen.position,
      handle: async (batch) => {
        seen.ids.push(...batch.records.map(({ id }) => id));
        seen.position = batch.after;
      },
      onPoison: async ({ sequence }) => void seen.poison.push(sequence),
    });
    partitionReader.start();
    stops.push(() => partitionReader.stop());
    return seen;
  }

  it('delivers the records of one call in their order, however many are under way', async () => {
    const publisher = new RecordPublisher(patient);
    const ids = Array.from({ length: 500 }, (_, i) => `order-${i}`);
    const seen = reader(partitionOfCall('call-order'));
    await Promise.all(ids.map((id) => publisher.publish(record('Call-Order', id))));
    await eventually('all records', () => seen.ids.filter((id) => id.startsWith('order-')).length === 500);
    expect(seen.ids.filter((id) => id.startsWith('order-'))).toEqual(ids);
  });

  it('packs records that arrive together into few messages', async () => {
    const before = (await bus.jsm.streams.info('RECORDS')).state.messages;
    const publisher = new RecordPublisher(patient);
    await Promise.all(Array.from({ length: 1_000 }, (_, i) => publisher.publish(record('packed', `p${i}`))));
    const { state } = await bus.jsm.streams.info('RECORDS');
    expect(state.messages - before).toBeLessThan(20);
  });

  it('drops the oldest records when the limits of age or size in the settings are reached', async () => {
    const { config } = await bus.jsm.streams.info(RECORDS_STREAM);
    expect(config).toMatchObject({ max_age: 3.6e12, max_bytes: limits.recordsMaxBytes, discard: 'old' });
    await ensureFeedStreams(bus, { recordsMaxAgeHours: 2, recordsMaxBytes: 2 * limits.recordsMaxBytes });
    const { config: changed } = await bus.jsm.streams.info(RECORDS_STREAM);
    expect(changed).toMatchObject({ max_age: 7.2e12, max_bytes: 2 * limits.recordsMaxBytes });
    await ensureFeedStreams(bus, limits);
  });

  it('counts bytes, not characters, when it packs', async () => {
    const publisher = new RecordPublisher(patient);
    const large = { ...record('wide', 'w'), xml: '\u4e2d'.repeat(125_000) };
    const stored = await Promise.all(Array.from({ length: 4 }, () => publisher.publish(large)));
    expect(stored).toHaveLength(4);
  });

  it('resumes from a stored position and reads nothing twice', async () => {
    const publisher = new RecordPublisher(patient);
    const partition = partitionOfCall('resume');
    await publisher.publish(record('resume', 'first'));
    const first = reader(partition);
    await eventually('the first', () => first.ids.includes('first'));
    for (const stop of stops.splice(0)) await stop();
    await publisher.publish(record('resume', 'second'));
    const second = reader(partition, first.position);
    await eventually('the second', () => second.ids.includes('second'));
    expect(second.ids).toEqual(['second']);
  });

  it('reads a backlog to its last message without waiting for another', async () => {
    const publisher = new RecordPublisher(patient);
    const ids = Array.from({ length: 150 }, (_, i) => `backlog-${i}`);
    for (const id of ids) await publisher.publish(record('backlog', id));
    const seen = reader(partitionOfCall('backlog'));
    await eventually('the last record', () => seen.ids.includes('backlog-149'));
    expect(seen.ids.filter((id) => id.startsWith('backlog-'))).toEqual(ids);
  });

  it('puts records that arrive while it waits for the semaphore into one batch', async () => {
    const publisher = new RecordPublisher(patient);
    const semaphore = new Semaphore(1);
    const [, releaseOther] = await semaphore.acquire();
    const batches: (readonly string[])[] = [];
    const partition = partitionOfCall('turn');
    const partitionReader = new PartitionReader({
      partitions: () => PARTITIONS,
      outage: quietOutage,
      batches: semaphore,
      bus,
      window: new RecordsWindow({ bus, logger: quietLogger() }),
      partition,
      logger: quietLogger(),
      loadPosition: async () => undefined,
      handle: async ({ records }) => void batches.push(records.map(({ id }) => id)),
      onPoison: async () => undefined,
    });
    partitionReader.start();
    stops.push(() => partitionReader.stop());
    const ids = Array.from({ length: 20 }, (_, i) => `turn-${i}`);
    for (const id of ids) await publisher.publish(record('turn', id));
    const { state } = await bus.jsm.streams.info(RECORDS_STREAM);
    const delivered = async (): Promise<boolean> => {
      const consumers = await bus.jsm.consumers.list(RECORDS_STREAM).next();
      return consumers.some((each) => each.delivered.stream_seq === state.last_seq);
    };
    await eventually('all messages to be delivered to the reader', delivered);
    await bus.connection.flush();
    expect(batches).toEqual([]);
    releaseOther();
    await eventually('all records', () => batches.flat().includes('turn-19'));
    expect(batches[0]?.length).toBeGreaterThan(1);
    expect(batches.flat().filter((id) => id.startsWith('turn-'))).toEqual(ids);
  });

  it('skips a message that is not a batch, and reports it', async () => {
    const partition = partitionOfCall('poison');
    await bus.js.publish(recordsSubject(partition), 'not json');
    await bus.js.publish(recordsSubject(partition), '{"v":99}');
    await new RecordPublisher(patient).publish(record('poison', 'good'));
    const seen = reader(partition);
    await eventually('the valid record', () => seen.ids.includes('good'));
    expect(seen.poison).toHaveLength(2);
  });

  it('limits the messages under way to a reader to what fits into memory, however large they are', async () => {
    const partition = partitionOfCall('large');
    const publisher = new RecordPublisher(patient);
    const xml = 'x'.repeat(500_000);
    await bus.jsm.streams.purge(RECORDS_STREAM);
    for (let n = 0; n < 60; n++) await publisher.publish({ ...record('large', `large-${n}`), xml });
    const first = Promise.withResolvers<void>();
    const seen: string[] = [];
    const partitionReader = new PartitionReader({
      partitions: () => PARTITIONS,
      outage: quietOutage,
      batches: new Semaphore(1),
      bus,
      window: new RecordsWindow({ bus, logger: quietLogger() }),
      partition,
      logger: quietLogger(),
      loadPosition: async () => undefined,
      handle: async (batch) => {
        seen.push(...batch.records.map(({ id }) => id));
        await first.promise;
      },
      onPoison: async () => undefined,
    });
    partitionReader.start();
    stops.push(() => partitionReader.stop());
    await eventually('the first batch', () => seen.length > 0);
    const own = await eventually('the consumer of the reader', async () => {
      const consumers = await bus.jsm.consumers.list(RECORDS_STREAM).next();
      return consumers.find(({ config }) => config.filter_subjects === undefined);
    });
    first.resolve();
    // All of them would be 30 MB.
    expect(own.delivered.consumer_seq).toBeLessThan(40);
    // Some are delivered again if their acknowledgement was late.
    await eventually('all records', () => new Set(seen).size === 60);
  });

  it('reads a batch again when it could not be handled', async () => {
    const partition = partitionOfCall('again');
    await new RecordPublisher(patient).publish(record('again', 'again-1'));
    const seen: string[] = [];
    let failures = 1;
    const partitionReader = new PartitionReader({
      partitions: () => PARTITIONS,
      outage: quietOutage,
      batches: new Semaphore(1),
      bus,
      window: new RecordsWindow({ bus, logger: quietLogger() }),
      partition,
      logger: quietLogger(),
      loadPosition: async () => undefined,
      handle: async (batch) => {
        if (failures-- > 0) throw new Error('database is down');
        seen.push(...batch.records.map(({ id }) => id));
      },
      onPoison: async () => undefined,
    });
    partitionReader.start();
    stops.push(() => partitionReader.stop());
    await eventually('the record', () => seen.includes('again-1'));
    expect(seen).toEqual(['again-1']);
  });

  it('starts again when the stream was recreated', async () => {
    const partition = partitionOfCall('epoch');
    await new RecordPublisher(patient).publish(record('epoch', 'epoch-1'));
    const seen = reader(partition, { epoch: 'another life', sequence: 1_000_000 });
    await eventually('the record', () => seen.ids.includes('epoch-1'));
    expect(seen.position?.epoch).toBe((await bus.jsm.streams.info('RECORDS')).created);
  });

  it('starts again when the stream ends before the position, as after a restore from a backup', async () => {
    const partition = partitionOfCall('restored');
    await new RecordPublisher(patient).publish(record('restored', 'restored-1'));
    const { created: epoch } = await bus.jsm.streams.info('RECORDS');
    const seen = reader(partition, { epoch, sequence: 1_000_000 });
    expect(await eventually('the record', () => seen.ids.includes('restored-1'))).toBe(true);
  });

  it('notices while reading that the stream was deleted and recreated', async () => {
    const publisher = new RecordPublisher(patient);
    await publisher.publish(record('anew', 'before'));
    const seen = reader(partitionOfCall('anew'));
    await eventually('the record of the first life', () => seen.ids.includes('before'));
    await bus.jsm.streams.delete('RECORDS');
    await ensureFeedStreams(bus, limits);
    await publisher.publish(record('anew', 'after'));
    await eventually('the record of the second life', () => seen.ids.includes('after'));
    expect(seen.ids.filter((id) => id === 'after')).toEqual(['after']);
  });

  it('rejects records over the limit at once with an error that the bus is unavailable', async () => {
    const publisher = new RecordPublisher({ ...patient, maxWaiting: 1 });
    const first = publisher.publish(record('full', 'f1'));
    await expect(publisher.publish(record('full', 'f2'))).rejects.toThrow(BusUnavailable);
    await first;
    await publisher.publish(record('full', 'f3'));
  });

  it('limits the bytes that wait as well as the records', async () => {
    const publisher = new RecordPublisher({ ...patient, maxWaitingBytes: 100_000 });
    const large = { ...record('heavy', 'h'), xml: 'x'.repeat(60_000) };
    const stored = [publisher.publish(large), publisher.publish(large)];
    await expect(publisher.publish(record('light', 'l'))).rejects.toThrow(BusUnavailable);
    await Promise.all(stored);
    await publisher.publish(large);
  });

  it('survives a crash of the bus: acknowledged records are stored, the others are rejected', async () => {
    const publisher = new RecordPublisher(patient);
    await publisher.publish(record('crash', 'crash-acknowledged'));
    await nats.kill();
    const hasty = new RecordPublisher({ bus, deadlineMs: 1_000 });
    await expect(hasty.publish(record('crash', 'crash-refused'))).rejects.toThrow(BusUnavailable);
    await nats.restart();
    await eventually('the connection', async () => {
      try {
        await publisher.publish(record('crash', 'crash-after'));
        return true;
      } catch (error) {
        if (error instanceof BusUnavailable) return undefined;
        throw error;
      }
    });
    const seen = reader(partitionOfCall('crash'));
    await eventually('the last record', () => seen.ids.includes('crash-after'));
    expect(seen.ids).toContain('crash-acknowledged');
  });

  it('stores rejected bodies and lists them newest first', async () => {
    const rejected = new RejectedRecords(bus);
    const body = { receivedAt: 1, remoteAddress: '127.0.0.1', path: '/', code: 'x', reason: 'y' };
    for (const text of ['one', 'two', 'three']) await rejected.store({ ...body, body: text });
    expect((await rejected.latest(2)).map((each) => each.body)).toEqual(['three', 'two']);
  });
});
