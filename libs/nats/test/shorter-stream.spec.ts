import { BusCopy } from '@ringdown/testing/servers/bus-copy';
import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Bus } from '../src/index.js';
import { Bucket } from '../src/doors/buckets.js';
import { DurableReader, StreamTail, type TailStart } from '../src/doors/reading.js';
import { storedLastRead } from '../src/streams/last-read.js';

describe('after the bus has lost the newest messages of a stream', () => {
  const started = new Started();
  let folder: string;
  let nats: TestNats;
  let bus: Bus;
  let streams = 0;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ringdown-shorter-'));
    nats = started.add(await startNats({ folder }));
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
  });
  afterAll(() => started.stopAll());

  /** Waits for the reconnect, too: a request to a disconnected bus only ends with its timeout. */
  async function restarted<T>(restart: () => Promise<T>): Promise<T> {
    const back = new Promise<void>((resolve) => bus.onReconnect(resolve));
    const done = await restart();
    await back;
    return done;
  }

  function copyBus(): Promise<BusCopy> {
    return restarted(async () => started.add(await BusCopy.create(nats, folder)));
  }

  async function newStream(): Promise<string> {
    const name = `SHORTER_${++streams}`;
    await bus.jsm.streams.add({ name, subjects: [name] });
    return name;
  }

  async function publish(stream: string, prefix: string, count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const body = JSON.stringify(`${prefix}-${n}`);
      await eventually('the bus', () =>
        bus.js.publish(stream, body, { msgID: `${stream}-${prefix}-${n}` }).then(
          () => true,
          () => false,
        ),
      );
    }
  }

  function receives(received: readonly string[], prefix: string, count: number): Promise<boolean> {
    return eventually(`${count} of ${prefix}`, () => {
      return new Set(received.filter((text) => text.startsWith(`${prefix}-`))).size === count;
    });
  }

  async function durable(stream: string, on = bus): Promise<{ reader: DurableReader; received: string[] }> {
    const received: string[] = [];
    const handle = (message: { json(): unknown }): Promise<void> => {
      received.push(String(message.json()));
      return Promise.resolve();
    };
    // Messages that the bus had delivered when it was killed are delivered again after this time.
    const options = { bus: on, stream, name: 'reader', logger: quietLogger(), handle, acknowledgeMs: 2_000 };
    const reader = started.add(new DurableReader(options));
    await reader.start();
    return { reader, received };
  }

  it.each([
    ['fewer', 8, 3],
    ['more', 3, 8],
  ])('a durable reader gets the new messages when they are %s than were lost', async (_fewer, lost, following) => {
    const stream = await newStream();
    const { received } = await durable(stream);
    await publish(stream, 'before', 4);
    await receives(received, 'before', 4);
    const copy = await copyBus();
    await publish(stream, 'lost', lost);
    await receives(received, 'lost', lost);
    // The bus has stored what was delivered only a moment later.
    await eventually('all to be acknowledged', async () => {
      return (await bus.jsm.consumers.info(stream, 'reader')).ack_floor.stream_seq === 4 + lost;
    });
    await restarted(() => copy.restoreMessages());
    await publish(stream, 'after', following);
    expect(await receives(received, 'after', following)).toBe(true);
  });

  it('a durable reader that was stopped meanwhile gets the new messages when it comes back', async () => {
    const stream = await newStream();
    const first = await durable(stream);
    const copy = await copyBus();
    await publish(stream, 'lost', 8);
    await receives(first.received, 'lost', 8);
    await first.reader.stop();
    await restarted(() => copy.restoreMessages());
    const second = await durable(stream);
    await publish(stream, 'after', 3);
    expect(await receives(second.received, 'after', 3)).toBe(true);
  });

  it.each([
    ['were stopped', false],
    ['have crashed', true],
  ])('durable readers that %s get earlier new messages when more than were lost', async (_how, crash) => {
    const stream = await newStream();
    const connection = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => connection.close() });
    const first = await durable(stream, connection);
    await publish(stream, 'before', 4);
    await receives(first.received, 'before', 4);
    const copy = await copyBus();
    await publish(stream, 'lost', 3);
    await receives(first.received, 'lost', 3);
    if (!crash) await first.reader.stop();
    await eventually('what was read to be kept', async () => {
      const { metadata } = (await bus.jsm.consumers.info(stream, 'reader')).config;
      return storedLastRead(metadata)?.sequence === 7;
    });
    await connection.close();
    await restarted(() => copy.restoreMessages());
    await publish(stream, 'after', 8);
    const second = await durable(stream);
    expect(await receives(second.received, 'after', 8)).toBe(true);
    expect(second.received.filter((text) => text.startsWith('before-'))).toEqual([]);
  });

  it('a durable reader gets no message twice when it comes back to a stream that has lost nothing', async () => {
    const stream = await newStream();
    const first = await durable(stream);
    await publish(stream, 'before', 4);
    await receives(first.received, 'before', 4);
    await first.reader.stop();
    await publish(stream, 'after', 3);
    const second = await durable(stream);
    await receives(second.received, 'after', 3);
    expect(second.received).toHaveLength(3);
  });

  it.each([
    ['fewer', 8, 3],
    ['more', 3, 8],
  ])('a tail starts again with the new messages when they are %s than were lost', async (_fewer, lost, following) => {
    const stream = await newStream();
    const received: string[] = [];
    const starts: TailStart[] = [];
    const tail = started.add(
      new StreamTail({
        bus,
        stream,
        logger: quietLogger(),
        backBytes: 1_000_000,
        prepare: () => Promise.resolve(),
        onStart: (start) => starts.push(start),
        onMessage: ({ body }) => received.push(JSON.parse(body)),
      }),
    );
    tail.start();
    await publish(stream, 'before', 4);
    const copy = await copyBus();
    await publish(stream, 'lost', lost);
    await receives(received, 'lost', lost);
    await restarted(() => copy.restore());
    await publish(stream, 'after', following);
    expect(await receives(received, 'after', following)).toBe(true);
    expect(starts.length).toBeGreaterThan(1);
  });

  it('a bucket follower gets changes with reused revisions and entries with restored old values', async () => {
    const bucket = await Bucket.open<unknown>({ bus, name: 'PRESENCE', maxAgeMs: 0, parse: (value) => value });
    const state = new Map<string, unknown>();
    const unfollow = bucket.follow(quietLogger(), (key, value) => state.set(key, value));
    started.add({ stop: async () => unfollow() });
    await bucket.put('a', 'before');
    const copy = await copyBus();
    for (let n = 0; n < 8; n++) await eventually('the bus', () => bucket.put('a', `lost-${n}`).catch(() => false));
    await eventually('the last that is lost', () => state.get('a') === 'lost-7');
    await restarted(() => copy.restore());
    await eventually('what has gone back', () => state.get('a') === 'before');
    await eventually('the bus', () => bucket.put('b', 'after').catch(() => false));
    expect(await eventually('what follows', () => state.get('b') === 'after')).toBe(true);
  });
});
