import { jest } from '@jest/globals';
import { JetStreamApiError } from '@nats-io/jetstream';
import { Semaphore } from '@ringdown/concurrency';
import {
  BUNDLES_SUBJECT,
  bundleSubject,
  partitionAmong,
  partitionOfCall,
  PARTITIONS,
  RECORDS_STREAM,
  recordsSubject,
  type PublishedRecord,
} from '@ringdown/contracts/records';
import { Bus } from '@ringdown/nats';
import { OutageLog } from '@ringdown/observability';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import {
  lastPartitionMessage,
  partitionBacklogs,
  PartitionReader,
  RecordPublisher,
  RecordsWindow,
  StreamBundleOffer,
  type Position,
  type ReadBatch,
} from '../src/index.js';
import { ensureFeedStreams, offerBundles } from '../src/doors/streams.js';

const LIMITS = { recordsMaxAgeHours: 1, recordsMaxBytes: 2 ** 26 };
const quietOutage = new OutageLog({ logger: quietLogger(), failure: 'failed', recovery: 'works' });
const ALL = Array.from({ length: PARTITIONS }, (_, partition) => partition);
/** One call in each of the first 8 partitions. */
const CALLS = ALL.map((partition) => callIn(partition));

function callIn(partition: number, partitions = PARTITIONS): string {
  for (let n = 0; ; n++) if (partitionAmong(partitions, `call ${n}`) === partition) return `call ${n}`;
}

function record(callId: string, id: string): PublishedRecord {
  const xml = `<x>${'ü'.repeat(id.length % 7)}</x>`;
  return { id, receivedAt: 1, xml, record: { connection: { callId, frontEnds: [] }, events: [] } };
}

/** As a stream that was made again by the aggregators of an older version. */
async function withdrawBundles(bus: Bus): Promise<void> {
  await bus.jsm.streams.update(RECORDS_STREAM, { subjects: [recordsSubject(0).replace('0', '*')] });
}

/** What a partition has read, and how far: as a database keeps it. */
class Read {
  readonly ids: string[] = [];
  readonly sent: ReadBatch['sent'][number][] = [];
  readonly poison: { readonly sequence: number; readonly text: string }[] = [];
  position: Position | undefined;

  constructor(
    readonly reader: PartitionReader,
    readonly partition: number,
  ) {}
}

describe('messages with records of several partitions', () => {
  const started = new Started();
  let nats: TestNats;
  let bus: Bus;
  let readers: Read[] = [];
  let window: RecordsWindow;

  beforeAll(async () => {
    nats = started.add(await startNats());
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
  });
  beforeEach(async () => {
    await ensureFeedStreams(bus, LIMITS);
    await offerBundles(bus);
    window = new RecordsWindow({ bus, logger: quietLogger() });
  });
  afterEach(async () => {
    await Promise.all(readers.map(({ reader }) => reader.stop()));
    readers = [];
    await bus.jsm.streams.delete(RECORDS_STREAM);
  });
  afterAll(() => started.stopAll());

  function read(
    partition: number,
    { from, partitions = PARTITIONS }: { from?: Position; partitions?: number } = {},
  ): Read {
    const reader = new PartitionReader({
      bus,
      window,
      partition,
      partitions: () => partitions,
      logger: quietLogger(),
      outage: quietOutage,
      batches: new Semaphore(1),
      loadPosition: async () => seen.position,
      handle: async ({ records, sent, after }) => {
        seen.ids.push(...records.map(({ id }) => id));
        seen.sent.push(...sent);
        seen.position = after;
      },
      onPoison: async ({ sequence, text }) => void seen.poison.push({ sequence, text }),
    });
    const seen = new Read(reader, partition);
    seen.position = from;
    reader.start();
    readers.push(seen);
    return seen;
  }

  async function publisher(): Promise<RecordPublisher> {
    const bundles = new StreamBundleOffer(bus);
    await bundles.check();
    expect(bundles.isOpen).toBe(true);
    return new RecordPublisher({ bus, bundles, deadlineMs: 60_000 });
  }

  /** Records of all calls, several of each. */
  async function publishSome(by: RecordPublisher, prefix: string, each = 5): Promise<void> {
    const ids = Array.from({ length: each }, (_, n) => `${prefix}-${n}`);
    await Promise.all(ids.flatMap((id) => CALLS.map((callId) => by.publish(record(callId, id)))));
  }

  async function messages(): Promise<number> {
    return (await bus.jsm.streams.info(RECORDS_STREAM)).state.messages;
  }

  it('are one for what has arrived together, and each partition reads its own records in order', async () => {
    const by = await publisher();
    const before = await messages();
    await publishSome(by, 'a');
    expect((await messages()) - before).toBe(1);
    expect(by.accepted.byPartition).toEqual(ALL.map(() => 5));
    const all = ALL.map((partition) => read(partition));
    await eventually('all records', () => all.every(({ ids }) => ids.length === 5));
    for (const { ids, sent } of all) {
      expect(ids).toEqual(['a-0', 'a-1', 'a-2', 'a-3', 'a-4']);
      expect(sent).toEqual([{ collector: by.accepted.collector, number: 1, records: 5 }]);
    }
  });

  it('are read in the order of the stream between messages of one partition, by each of 16 partitions', async () => {
    const by = await publisher();
    const older = new RecordPublisher({ bus, deadlineMs: 60_000 });
    const [near, far] = [callIn(3, 16), callIn(11, 16)];
    expect(partitionOfCall(near)).toBe(partitionOfCall(far));
    const expected: string[] = [];
    for (let n = 0; n < 120; n++) {
      const id = `mixed-${n}`;
      const others = n % 3 === 0 ? [] : CALLS.filter((_, at) => at !== 3 && (n >> (at % 7)) % 2 === 1);
      const writer = n % 4 === 1 ? older : by;
      await Promise.all([near, far, ...others].map((callId) => writer.publish(record(callId, id))));
      expected.push(id);
    }
    const [three, eleven] = [read(3, { partitions: 16 }), read(11, { partitions: 16 })];
    await eventually('all records', () => three.ids.length >= 120 && eleven.ids.length >= 120);
    expect(three.ids).toEqual(expected);
    expect(eleven.ids).toEqual(expected);
  });

  it('wait for a partition that is far behind the others, from its own position', async () => {
    const by = await publisher();
    await publishSome(by, 'first');
    const [ahead, behind] = [read(0), read(5)];
    await eventually('the first records', () => ahead.ids.length === 5 && behind.ids.length === 5);
    await behind.reader.stop();
    for (let n = 0; n < 300; n++) await publishSome(by, `n${n}`, 1);
    await eventually('the partition ahead', () => ahead.ids.length === 305);
    const after = new Map(readers.map(({ partition, position }) => [partition, position]));
    expect(await partitionBacklogs(bus, after, [0, 5])).toMatchObject([
      { partition: 0, messages: 0 },
      { partition: 5, messages: 300 },
    ]);
    const { position: from } = behind;
    const other = read(5, from === undefined ? {} : { from });
    await eventually('the partition behind', () => other.ids.length === 300);
    expect(other.ids).toEqual(Array.from({ length: 300 }, (_, n) => `n${n}-0`));
    expect(ahead.ids).toHaveLength(305);
  });

  it('are no backlog of partitions without records in them', async () => {
    const by = await publisher();
    const last = async (partition: number): Promise<number | undefined> =>
      lastPartitionMessage(bus, partition, await bus.jsm.streams.info(RECORDS_STREAM));
    expect(await last(7)).toBeUndefined();
    await Promise.all([0, 1].map((at) => by.publish(record(CALLS[at] ?? '', 'x'))));
    expect(await partitionBacklogs(bus, new Map(), [0, 1, 7])).toMatchObject([
      { partition: 0, messages: 1 },
      { partition: 1, messages: 1 },
      { partition: 7, messages: 0 },
    ]);
    expect(await last(7)).toBeUndefined();
    expect(await last(1)).toBe(await last(0));
  });

  it('keep the other partitions when one part is not readable, and are reported once when none is', async () => {
    const by = await publisher();
    const good = JSON.stringify(record(CALLS[4] ?? '', 'good'));
    const parts = { collector: 'ab', of: [[2, 1, 3], [4, 1, Buffer.byteLength(good)]] }; // prettier-ignore
    const body = `{"v":1,"parts":${JSON.stringify(parts)},"records":[{]},${good}]}`;
    await bus.js.publish(bundleSubject([2, 4]), body);
    await bus.js.publish(bundleSubject([2, 4]), 'not json');
    await bus.js.publish(bundleSubject([2, 4]), JSON.stringify({ v: 1, records: [] }));
    await publishSome(by, 'after', 1);
    const [two, four] = [read(2), read(4)];
    await eventually('the records behind', () => [two, four].every(({ ids }) => ids.includes('after-0')));
    expect(two.ids).toEqual(['after-0']);
    expect(four.ids).toEqual(['good', 'after-0']);
    expect(two.poison.map(({ text }) => text)).toEqual(['{"v":1,"records":[{]}]}', 'not json', '{"v":1,"records":[]}']);
    expect(four.poison).toEqual([]);
  });

  it('are not stored when no aggregator reads them, and their records are stored one partition at a time', async () => {
    const by = await publisher();
    await publishSome(by, 'before');
    await withdrawBundles(bus);
    await publishSome(by, 'during');
    await offerBundles(bus);
    await publishSome(by, 'after');
    const all = ALL.map((partition) => read(partition));
    await eventually('all records', () => all.every(({ ids }) => ids.length >= 15));
    for (const { ids, sent } of all) {
      expect(ids).toEqual(
        ['before', 'during', 'after'].flatMap((prefix) => [0, 1, 2, 3, 4].map((n) => `${prefix}-${n}`)),
      );
      expect(sent.map(({ number }) => number)).toEqual([1, 2, 3]);
    }
  });

  it('survive a restart of the owner of the stream, and are no copy for a reader of whole messages', async () => {
    await ensureFeedStreams(bus, LIMITS);
    expect((await bus.jsm.streams.info(RECORDS_STREAM)).config.subjects).toContain(BUNDLES_SUBJECT);
    await publishSome(await publisher(), 'w', 2);
    const message = await bus.jsm.streams.getMessage(RECORDS_STREAM, { last_by_subj: BUNDLES_SUBJECT });
    const { v, records }: { v: number; records: PublishedRecord[] } = message?.json() ?? { v: 0, records: [] };
    expect(v).toBe(1);
    expect(records.map(({ id }) => id).toSorted()).toEqual(
      [...CALLS.map(() => 'w-0'), ...CALLS.map(() => 'w-1')].toSorted(),
    );
  });

  it('survive a start of the owner of the stream while a cluster elects its leader', async () => {
    const noLeader = { code: 503, err_code: 10_008, description: 'JetStream system temporarily unavailable' };
    const info = jest.spyOn(bus.jsm.streams, 'info').mockRejectedValueOnce(new JetStreamApiError(noLeader));
    await ensureFeedStreams(bus, LIMITS);
    info.mockRestore();
    expect((await bus.jsm.streams.info(RECORDS_STREAM)).config.subjects).toContain(BUNDLES_SUBJECT);
  });

  it('are tried again within the deadline while the look at the offer is not answered', async () => {
    await withdrawBundles(bus);
    const unanswered = { isOpen: true, check: () => new Promise<void>(() => undefined) };
    const outcomes: string[] = [];
    const observer = { tried: (outcome: string) => void outcomes.push(outcome) };
    const by = new RecordPublisher({ bus, bundles: unanswered, deadlineMs: 2_000, observer });
    await expect(publishSome(by, 'late', 1)).rejects.toThrow('no stream stores the message');
    expect(outcomes.length).toBeGreaterThan(1);
  });

  it('are reported by a partition that its subject names and that has no part', async () => {
    const good = JSON.stringify(record(CALLS[2] ?? '', 'good'));
    const parts = { collector: 'ab', of: [[2, 1, Buffer.byteLength(good)]] };
    await bus.js.publish(bundleSubject([2, 4]), `{"v":1,"parts":${JSON.stringify(parts)},"records":[${good}]}`);
    await publishSome(await publisher(), 'after', 1);
    const [two, four] = [read(2), read(4)];
    await eventually('the records behind', () => [two, four].every(({ ids }) => ids.includes('after-0')));
    expect(two.ids).toEqual(['good', 'after-0']);
    expect([two.poison.length, four.poison.length]).toEqual([0, 1]);
  });

  it('are stored by a collector with its own permissions', async () => {
    const collector = await Bus.connect({ url: nats.urlOf('collector'), name: 'collector', logger: quietLogger() });
    try {
      const offer = new StreamBundleOffer(collector);
      await offer.check();
      expect(offer.isOpen).toBe(true);
      const before = await messages();
      await publishSome(new RecordPublisher({ bus: collector, bundles: offer, deadlineMs: 60_000 }), 'one', 1);
      expect((await messages()) - before).toBe(1);
    } finally {
      await collector.close();
    }
  });
});
