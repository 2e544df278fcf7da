import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { setTimeout as sleep } from 'node:timers/promises';
import { Bus } from '../src/index.js';
import { deleteStream, messagesIn, restoreSnapshot, createSnapshot, type SnapshotHead } from '../src/doors/streams.js';

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

  /** That it has all messages up to this one, each with its content. */
  async function expectContents(name: string, last: number): Promise<void> {
    const { state } = await bus.jsm.streams.info(name);
    expect([state.first_seq, state.messages]).toEqual([1, state.last_seq]);
    expect(state.last_seq).toBeGreaterThanOrEqual(last);
    for (let seq = 1; seq <= last; seq++) {
      const message = await bus.jsm.streams.getMessage(name, { seq });
      expect(Buffer.from(contentOf(seq - 1)).equals(message?.data ?? new Uint8Array())).toBe(true);
    }
  }

  interface Copy {
    readonly head: SnapshotHead;
    readonly pieces: readonly Uint8Array[];
  }

  async function copyOf(name: string): Promise<Copy> {
    const pieces: Uint8Array[] = [];
    const head = await createSnapshot(bus, name, async (piece) => void pieces.push(Uint8Array.from(piece)));
    if (head === undefined) throw new Error('the stream was not found');
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
    expect((await bus.js.publish(`kept.${streamNumber}`, 'next')).seq).toBe(3);
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
    let stored = 20;
    const load = (async () => {
      while (!stopping.signal.aborted) stored = (await bus.js.publish(`kept.${streamNumber}`, contentOf(stored))).seq;
    })();
    const pieces: Uint8Array[] = [];
    const head = await createSnapshot(bus, name, async (piece) => {
      pieces.push(Uint8Array.from(piece));
      const before = stored;
      await eventually('a message during the copy', () => stored > before);
    });
    stopping.abort();
    await load;
    if (head === undefined) throw new Error('the stream was not found');
    expect(stored).toBeGreaterThan(head.state.last_seq);
    await deleteStream(bus, name);
    await restoreSnapshot(bus, head, each(pieces));
    await expectContents(name, head.state.last_seq);
  });

  it('waits for a slow disk, piece by piece', async () => {
    const name = await stream(60);
    const pieces: Uint8Array[] = [];
    let writing = 0;
    const head = await createSnapshot(bus, name, async (piece) => {
      expect(++writing).toBe(1);
      pieces.push(Uint8Array.from(piece));
      await sleep(200);
      writing--;
    });
    expect(pieces.length).toBeGreaterThan(2);
    if (head === undefined) throw new Error('the stream was not found');
    await deleteStream(bus, name);
    await restoreSnapshot(bus, head, each(pieces));
    await expectContents(name, 60);
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
    ['cut off', (pieces: readonly Uint8Array[]) => pieces.slice(0, 1), 'meta.inf: no such file'],
    ['empty', () => [], 'meta.inf: no such file'],
    ['something else', () => [new TextEncoder().encode('not a snapshot')], 'corrupt input'],
  ])('leaves no stream when it is %s', async (_what, changed, reason) => {
    const name = await stream(30);
    const { head, pieces } = await copyOf(name);
    await deleteStream(bus, name);
    await expect(restoreSnapshot(bus, head, each(changed(pieces)))).rejects.toThrow(reason);
    expect(await messagesIn(bus, name)).toBeUndefined();
  });

  it('reports the error of a copy that cannot be written', async () => {
    const name = await stream(1);
    const written = createSnapshot(bus, name, () => Promise.reject(new Error('the disk is full')));
    await expect(written).rejects.toThrow('the disk is full');
  });
});
