import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Bus } from '../src/index.js';
import { StreamWriter, type MessageToStore } from '../src/streams/stream-writer.js';

describe('storing a message in a stream', () => {
  let nats: TestNats;
  let bus: Bus;
  let writer: StreamWriter;

  beforeAll(async () => {
    nats = await startNats();
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    await bus.jsm.streams.add({ name: 'KEPT', subjects: ['kept.*'], max_msg_size: 100 });
    writer = new StreamWriter(bus);
  });
  afterAll(async () => {
    await bus.close();
    await nats.stop();
  });

  function message(subject: string, body = 'text', timeoutMs = 30_000): MessageToStore {
    return { subject, body, id: `${subject} ${body}`, timeoutMs };
  }
  const stored = async (): Promise<number> => (await bus.jsm.streams.info('KEPT')).state.messages;

  it('resolves when the stream has stored it, and stores the same message only once', async () => {
    const before = await stored();
    await Promise.all(Array.from({ length: 20 }, (_, n) => writer.store(message('kept.a', `text ${n}`))));
    expect(await stored()).toBe(before + 20);
    await writer.store(message('kept.a', 'text 7'));
    expect(await stored()).toBe(before + 20);
  });

  it('resolves with the number of the message, which is stored only after the last one of its subject that is named', async () => {
    const first = await writer.store({ subject: 'kept.c', body: 'one', lastOfSubject: 0, timeoutMs: 30_000 });
    const next = { subject: 'kept.c', body: 'two', lastOfSubject: first, timeoutMs: 30_000 };
    expect(await writer.store(next)).toBe(first + 1);
    await expect(writer.store(next)).rejects.toMatchObject({ code: 10_071 });
  });

  it('rejects at once when no stream has the subject', async () => {
    await expect(writer.store(message('unused.subject'))).rejects.toThrow('no stream stores the message');
  });

  it('rejects with the error of the stream, and stores the other messages', async () => {
    const before = await stored();
    const [large, small] = await Promise.allSettled([
      writer.store(message('kept.b', 'x'.repeat(200))),
      writer.store(message('kept.b', 'small')),
    ]);
    expect(large).toMatchObject({ status: 'rejected', reason: { message: expect.stringContaining('size') } });
    expect(small.status).toBe('fulfilled');
    expect(await stored()).toBe(before + 1);
  });

  it.each([
    ['unreadable text', 'ok', 'the acknowledgement is not JSON'],
    ['a number', '7', 'the reply is not an acknowledgement'],
    ['no stream', '{}', 'the reply is not an acknowledgement'],
    ['an error without a reason', '{"error":{}}', 'without a reason'],
  ])('rejects an acknowledgement with %s', async (_, answer, reason) => {
    const stop = bus.connection.subscribe('odd', { callback: (_error, request) => void request.respond(answer) });
    await expect(writer.store(message('odd'))).rejects.toThrow(reason);
    stop.unsubscribe();
  });

  it('rejects when no reply comes in time, and ignores a late reply', async () => {
    const request = Promise.withResolvers<() => void>();
    const stop = bus.connection.subscribe('late', {
      callback: (_error, question) => request.resolve(() => void question.respond('{"stream":"KEPT","seq":1}')),
    });
    await expect(writer.store(message('late', 'text', 200))).rejects.toThrow('no acknowledgement in time');
    const answer = await request.promise;
    answer();
    await writer.store(message('kept.c'));
    stop.unsubscribe();
  });

  it('rejects when the connection is closed meanwhile, and at once from then on', async () => {
    const other = await Bus.connect({ url: nats.url, name: 'closed', logger: quietLogger() });
    const otherWriter = new StreamWriter(other);
    const stop = bus.connection.subscribe('silent', { callback: () => undefined });
    await bus.connection.flush();
    const waiting = otherWriter.store(message('silent'));
    await other.connection.flush();
    await Promise.all([expect(waiting).rejects.toThrow('not received any more'), other.connection.close()]);
    await expect(otherWriter.store(message('kept.d'))).rejects.toThrow(/closed/i);
    stop.unsubscribe();
  });
});
