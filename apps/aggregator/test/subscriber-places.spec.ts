import { CALL_CHANGES_STREAM } from '@ringdown/contracts/calls';
import { READERS_ENSURE_PATTERN, readerName } from '@ringdown/contracts/readers';
import { RECORDS_STREAM, recordsSubject } from '@ringdown/contracts/records';
import { RequestedPlace } from '@ringdown/feed-bus';
import { Bus } from '@ringdown/nats';
import { DurableReader } from '@ringdown/nats/reading';
import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Surroundings } from './aggregator-under-test.js';

/** The service `subscribers` has an account without streams: the aggregator stores how far each subscriber has read. */
describe('the places of subscribers', () => {
  let around: Surroundings;
  let bus: Bus;
  const read: unknown[] = [];

  beforeAll(async () => {
    around = await Surroundings.start();
    await around.startAggregator();
    bus = await Bus.connect({ url: around.nats.urlOf('subscribers'), name: 'subscribers', logger: quietLogger() });
  });
  afterAll(async () => {
    await bus.close();
    await around.stop();
  });

  function reader(name: string): DurableReader {
    const place = new RequestedPlace({ bus, stream: RECORDS_STREAM, reader: readerName(name) });
    const handle = (message: { json(): unknown }): Promise<void> => Promise.resolve(void read.push(message.json()));
    return new DurableReader({
      bus,
      stream: RECORDS_STREAM,
      name: readerName(name),
      logger: quietLogger(),
      handle,
      place,
    });
  }

  async function publish(content: string): Promise<void> {
    await around.bus.js.publish(recordsSubject(0), JSON.stringify({ v: 1, records: [], content }));
  }

  async function readContent(content: string): Promise<void> {
    await eventually(content, () => Promise.resolve(read.some((each) => Object(each).content === content)));
  }

  it('are kept over restarts: every message is read once', async () => {
    const first = reader('billing');
    await first.start();
    await publish('first');
    await readContent('first');
    await first.stop();
    await publish('meanwhile');
    const second = reader('billing');
    await second.start();
    await publish('second');
    await readContent('second');
    expect(read.map((each) => Object(each).content)).toEqual(['first', 'meanwhile', 'second']);
    await eventually('the acknowledgements', async () => (await second.unacknowledged()) === 0);
    await second.stop();
  });

  it.each<[string, object]>([
    ['of another stream', { stream: 'TRACES', reader: 'subscriber-x', since: 0, action: 'check' }],
    ['of another reader', { stream: CALL_CHANGES_STREAM, reader: 'aggregator', since: 0, action: 'check' }],
    [
      'with a name of several subjects',
      { stream: RECORDS_STREAM, reader: 'subscriber-x.y', since: 0, action: 'check' },
    ],
    ['without a time', { stream: RECORDS_STREAM, reader: 'subscriber-x', action: 'check' }],
    ['with an unknown action', { stream: RECORDS_STREAM, reader: 'subscriber-x', since: 0, action: 'delete' }],
  ])('are not made for a request %s', async (_what, request) => {
    await expect(bus.request(READERS_ENSURE_PATTERN, request, 10_000)).rejects.toThrow('is an error');
  });

  /** What a request may not do, whatever it asks: only its name, its stream and its time are used. */
  it('are consumers of one kind, whatever a subscriber asks for', async () => {
    const more = {
      deliver_subject: '_INBOX.subscribers.stolen',
      deliver_group: 'stolen',
      filter_subject: 'ringdown.records.0',
      filter_subjects: ['>'],
      sources: [{ name: 'KV_TOKENS' }],
      ack_policy: 'none',
      ack_wait: 1,
      ack_wait_ms: 1,
      acknowledgeMs: 1,
      max_deliver: 1,
      max_ack_pending: 1_000_000,
      inactive_threshold: 1,
      headers_only: true,
      mem_storage: true,
      num_replicas: 5,
      metadata: { 'ringdown-last-read': '{}' },
      pause_until: '2100-01-01T00:00:00Z',
      opt_start_seq: 7,
    };
    const request = { stream: RECORDS_STREAM, reader: 'subscriber-hostile', since: 1_000, action: 'check' };
    const withPrototype = JSON.stringify({ ...request, ...more, config: more, name: 'aggregator' }).replace(
      '{',
      '{"__proto__":{"deliver_subject":"stolen"},',
    );
    await bus.request(READERS_ENSURE_PATTERN, JSON.parse(withPrototype), 10_000);
    const { config } = await around.bus.jsm.consumers.info(RECORDS_STREAM, 'subscriber-hostile');
    const { metadata: _ofServer, ...set } = config;
    expect(Object.keys(set).toSorted()).toEqual([
      'ack_policy',
      'ack_wait',
      'deliver_policy',
      'durable_name',
      'inactive_threshold',
      'max_ack_pending',
      'max_deliver',
      'max_waiting',
      'name',
      'num_replicas',
      'opt_start_time',
      'replay_policy',
    ]);
    expect(set).toMatchObject({
      durable_name: 'subscriber-hostile',
      ack_policy: 'explicit',
      ack_wait: 30_000_000_000,
      deliver_policy: 'by_start_time',
      opt_start_time: '1970-01-01T00:00:01Z',
      inactive_threshold: 604_800_000_000_000,
      max_ack_pending: 64,
      max_deliver: -1,
    });
  });

  it('are neither made nor changed by a request that is none', async () => {
    const place = { stream: RECORDS_STREAM, reader: 'subscriber-kept', since: 1_000, action: 'check' };
    await bus.request(READERS_ENSURE_PATTERN, place, 10_000);
    /** Readers of subscribers, and those that are known by a name. */
    const all = async (): Promise<string> => {
      const found: unknown[] = [];
      for (const stream of await around.bus.jsm.streams.names().next()) {
        const consumers = await around.bus.jsm.consumers.list(stream).next();
        const named = consumers.flatMap(({ config }) => (config.durable_name === undefined ? [] : config));
        const ofSubscribers = named.filter(
          ({ durable_name: name }) => !['aggregator', 'rejections'].includes(name ?? ''),
        );
        if (ofSubscribers.length > 0) found.push([stream, ofSubscribers]);
      }
      return JSON.stringify(found);
    };
    const before = await all();
    const long = 'x'.repeat(100_000);
    const newest = { epoch: 'e', sequence: 1, message: { digest: 'd', storedAt: 1 } };
    const wrong: readonly object[] = [
      ...['', 'KV_FRONT_ENDS', 'DEAD_LETTERS', 'RECORDS.x', '*', '>', [RECORDS_STREAM], null].map((stream) => ({
        stream,
      })),
      ...['*', '>', 'x.y', 'x y', 'x\n', 'x\r\nPUB', '../x', 'x/y', 'ö', '', 'x'.repeat(201)].map((name) => ({
        reader: `subscriber-${name}`,
      })),
      ...['aggregator', 'rejections', 'SUBSCRIBER-kept', ' subscriber-kept', ['subscriber-kept']].map((reader) => ({
        reader,
      })),
      ...[-1, 0.5, 1e300, 9e15, '0', null, [0]].map((since) => ({ since })),
      ...['delete', 'Store', '', null, ['check']].map((action) => ({ action })),
      ...['check', 'restart', 'store'].flatMap((action) =>
        [
          ...[long, 7, null].map((epoch) => ({ epoch })),
          ...[-1, 0.5, 1e300, '1', null].map((sequence) => ({ sequence })),
          ...[long, 7, null].map((digest) => ({ message: { digest, storedAt: 1 } })),
          ...[-1, 1e300, 9e15, '1', null].map((storedAt) => ({ message: { digest: 'd', storedAt } })),
          { message: null },
        ].map((part) => ({ action, newest: { ...newest, ...part } })),
      ),
    ];
    const outcomes: string[] = [];
    for (const part of wrong) {
      const request = { ...place, ...part };
      const refused = await bus.request(READERS_ENSURE_PATTERN, request, 10_000).then(
        () => false,
        () => true,
      );
      if (!refused) outcomes.push(JSON.stringify(part).slice(0, 200));
    }
    expect(outcomes).toEqual([]);
    expect(await all()).toBe(before);
  });
});
