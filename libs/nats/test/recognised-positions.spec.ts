import { jest } from '@jest/globals';
import { startNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { isRecognised, messageMark, type StreamPosition } from '../src/doors/reading.js';
import { Bus } from '../src/index.js';

const STREAM = 'RECOGNISED';

describe('a position of a stream', () => {
  const started = new Started();
  let bus: Bus;

  beforeAll(async () => {
    const nats = started.add(await startNats());
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
  });
  beforeEach(() => addStream());
  afterEach(() => bus.jsm.streams.delete(STREAM));
  afterAll(() => started.stopAll());

  async function addStream(): Promise<void> {
    await bus.jsm.streams.add({ name: STREAM, subjects: [STREAM] });
  }

  async function publish(body: string): Promise<void> {
    await bus.js.publish(STREAM, body);
  }

  async function positionAtEnd(): Promise<StreamPosition> {
    const consumer = await bus.js.consumers.get(STREAM);
    let position: StreamPosition | undefined;
    for (const { created } = await bus.jsm.streams.info(STREAM); ;) {
      const message = await consumer.next({ expires: 1_000 });
      if (message === null) throw new Error('the stream has no message');
      position = { epoch: created, sequence: message.seq, message: messageMark(message) };
      if (message.info.pending === 0) return position;
    }
  }

  async function recognises(position: StreamPosition): Promise<boolean> {
    return isRecognised(bus, await bus.jsm.streams.info(STREAM), position);
  }

  it('is looked up once as long as nothing changes, and again after that', async () => {
    await publish('a');
    const position = await positionAtEnd();
    const lookedUp = jest.spyOn(bus.jsm.streams, 'getMessage');
    for (let n = 0; n < 3; n++) expect(await recognises(position)).toBe(true);
    expect(lookedUp).toHaveBeenCalledTimes(1);
    await publish('b');
    for (let n = 0; n < 3; n++) expect(await recognises(position)).toBe(true);
    expect(lookedUp).toHaveBeenCalledTimes(2);
    // Another one at the same place is not the one that was found.
    expect(await recognises(await positionAtEnd())).toBe(true);
    expect(lookedUp).toHaveBeenCalledTimes(3);
    lookedUp.mockRestore();
  });

  it('is not recognised in a stream that has the same number of messages of the same size again', async () => {
    await publish('a');
    const position = await positionAtEnd();
    expect(await recognises(position)).toBe(true);
    await bus.jsm.streams.delete(STREAM);
    await addStream();
    await publish('b');
    expect(await recognises(position)).toBe(false);
    await bus.jsm.streams.delete(STREAM);
    await addStream();
    // The same message at another time is another one, too.
    await publish('a');
    expect(await recognises(position)).toBe(false);
  });
});
