import { quietLogger, startNats, type TestNats } from '@ringdown/testing';
import {
  Bus,
  droppedMessages,
  ensureFeedStreams,
  RECORDS_STREAM,
  recordsSubject,
  type Position,
} from '../src/index.js';

describe('what the bus has dropped before it was read', () => {
  let nats: TestNats;
  let bus: Bus;
  let epoch: string;

  beforeAll(async () => {
    nats = await startNats();
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    await ensureFeedStreams(bus, { recordsMaxAgeHours: 1, recordsMaxBytes: 2 ** 24 });
    for (const partition of [3, 5, 3, 3, 5, 1]) await bus.js.publish(recordsSubject(partition), '{}');
    epoch = (await bus.jsm.streams.info(RECORDS_STREAM)).created;
  });
  afterAll(async () => {
    await bus.close();
    await nats.stop();
  });

  const at = (...sequences: readonly number[]): ReadonlyMap<number, Position> =>
    new Map(sequences.map((sequence, partition) => [partition, { epoch, sequence }]));
  const dropped = async (positions: ReadonlyMap<number, Position>): Promise<number | undefined> =>
    (await droppedMessages(bus, positions))?.messages;

  it('is nothing while the bus has all', async () => {
    expect(await dropped(at(2, 1))).toBeUndefined();
  });

  it('is what is missing behind the furthest that was read', async () => {
    await bus.jsm.streams.purge(RECORDS_STREAM, { seq: 5 });
    expect(await droppedMessages(bus, at(2, 1))).toEqual({ after: { epoch, sequence: 2 }, messages: 2 });
    expect(await dropped(at(4, 1))).toBeUndefined();
    expect(await dropped(at(6, 1))).toBeUndefined();
  });

  it('is everything up to the next when nothing is left', async () => {
    await bus.jsm.streams.purge(RECORDS_STREAM);
    expect(await dropped(at(2, 4))).toBe(2);
    expect(await dropped(at(6))).toBeUndefined();
  });

  it('is not known of a stream of which nothing was read', async () => {
    expect(await dropped(new Map())).toBeUndefined();
    expect(await dropped(new Map([[1, { epoch: 'another', sequence: 1 }]]))).toBeUndefined();
  });
});
