import { eventually, quietLogger, startNats, type TestNats } from '@ringdown/testing';
import { setTimeout as sleep } from 'node:timers/promises';
import { Bus, deleteStream, messagesIn, restoreSnapshot, createSnapshot, type SnapshotHead } from '../src/index.js';

describe('a snapshot of a stream', () => {
  let nats: TestNats;
  let bus: Bus;
  let streamNumber = 0;

  beforeAll(async () => {
    nats = await startNats();
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
  });
  afterAll(async () => {
    await bus.close();
    await nats.stop();
  });

  /** A stream with messages that do not compress, so that its snapshot has several pieces. */
  async function stream(messages: number): Promise<string> {
    const name = `KEPT_${++streamNumber}`;
    await bus.jsm.streams.add({ name, subjects: [`kept.${streamNumber}`] });
    for (let n = 0; n < messages; n++) await bus.js.publish(`kept.${streamNumber}`, contentOf(n));
    return name;
  }

  function contentOf(n: number): Uint8Array {
    return Uint8Array.from({ length: 20_000 }, (_, at) => (n * 7 + at * at * 31 + (at >> 3)) % 251);
  }

  interface Copy {
    readonly head: SnapshotHead;
    readonly pieces: readonly Uint8Array[];
  }

  async function copyOf(name: string): Promise<Copy> {
    const pieces: Uint8Array[] = [];
    const head = await createSnapshot(bus, name, async (piece) => void pieces.push(Uint8Array.from(piece)));
    if (head === undefined) throw new Error('there is no such stream');
    return { head, pieces };
  }

  async function* each(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
    yield* pieces;
  }

  it('restores messages, sequences, times and the position of a reader', async () => {
    const name = await stream(30);
    await bus.jsm.streams.deleteMessage(name, 1);
    await bus.jsm.consumers.add(name, { durable_name: 'reader', ack_policy: 'explicit' });
    const reader = await bus.js.consumers.get(name, 'reader');
    for (let n = 0; n < 3; n++) await (await reader.next())?.ackAck();
    const before = await bus.jsm.streams.getMessage(name, { seq: 17 });
    const { head, pieces } = await copyOf(name);
    await bus.jsm.streams.delete(name);
    await restoreSnapshot(bus, head, each(pieces));
    const after = await bus.jsm.streams.getMessage(name, { seq: 17 });
    expect([after?.time, after?.data]).toEqual([before?.time, before?.data]);
    expect((await bus.jsm.streams.info(name)).state).toMatchObject({ messages: 29, first_seq: 2, last_seq: 30 });
    expect((await (await bus.js.consumers.get(name, 'reader')).next())?.seq).toBe(5);
  });

  it('restores an empty stream with its last sequence', async () => {
    const name = await stream(2);
    await bus.jsm.streams.purge(name);
    const { head, pieces } = await copyOf(name);
    await deleteStream(bus, name);
    await restoreSnapshot(bus, head, each(pieces));
    expect((await bus.jsm.streams.info(name)).state).toMatchObject({ messages: 0, last_seq: 2 });
  });

  it('restores a stream of which everything has expired since then with its last sequence', async () => {
    const name = `KEPT_${++streamNumber}`;
    const subject = `kept.${streamNumber}`;
    await bus.jsm.streams.add({ name, subjects: [subject], max_age: 1_000_000_000 });
    for (let n = 0; n < 5; n++) await bus.js.publish(subject, contentOf(n));
    const { head, pieces } = await copyOf(name);
    await deleteStream(bus, name);
    await sleep(1_500);
    await restoreSnapshot(bus, head, each(pieces));
    await eventually('the expiry', async () => (await messagesIn(bus, name)) === 0);
    expect((await bus.js.publish(subject, 'next')).seq).toBeGreaterThan(head.state.last_seq);
  });

  it('contains what was stored before it, while others are storing', async () => {
    const name = await stream(20);
    const stopping = new AbortController();
    const load = (async () => {
      while (!stopping.signal.aborted) await bus.js.publish(`kept.${streamNumber}`, contentOf(1));
    })();
    const { head, pieces } = await copyOf(name);
    stopping.abort();
    await load;
    await deleteStream(bus, name);
    await restoreSnapshot(bus, head, each(pieces));
    expect(await messagesIn(bus, name)).toBeGreaterThanOrEqual(head.state.messages);
  });

  it('waits for a slow disk', async () => {
    const name = await stream(60);
    const sizes: number[] = [];
    await createSnapshot(bus, name, async (piece) => {
      await sleep(200);
      sizes.push(piece.length);
    });
    expect(sizes.length).toBeGreaterThan(2);
  });

  it('is undefined when there is no such stream', async () => {
    expect(await createSnapshot(bus, 'NOWHERE', async () => undefined)).toBeUndefined();
    expect(await messagesIn(bus, 'NOWHERE')).toBeUndefined();
    await deleteStream(bus, 'NOWHERE');
  });

  it('is not restored over an existing stream', async () => {
    const name = await stream(1);
    const { head, pieces } = await copyOf(name);
    await expect(restoreSnapshot(bus, head, each(pieces))).rejects.toThrow('stream name already in use');
    expect(await messagesIn(bus, name)).toBe(1);
  });

  it.each([
    ['cut off', (pieces: readonly Uint8Array[]) => pieces.slice(0, 1)],
    ['empty', () => []],
    ['something else', () => [new TextEncoder().encode('not a snapshot')]],
  ])('leaves no stream when it is %s', async (_what, changed) => {
    const name = await stream(30);
    const { head, pieces } = await copyOf(name);
    await deleteStream(bus, name);
    await expect(restoreSnapshot(bus, head, each(changed(pieces)))).rejects.toThrow(/./);
    expect(await messagesIn(bus, name)).toBeUndefined();
  });

  it('reports the error of a copy that cannot be written', async () => {
    const name = await stream(1);
    const written = createSnapshot(bus, name, () => Promise.reject(new Error('the disk is full')));
    await expect(written).rejects.toThrow('the disk is full');
  });
});
