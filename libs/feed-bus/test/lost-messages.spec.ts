import { RECORDS_STREAM, recordsSubject } from '@ringdown/contracts/records';
import type { Bus } from '@ringdown/nats';
import { isRecognised } from '@ringdown/nats/reading';
import { lostMessages, type Position } from '../src/index.js';
import { SmallFeed } from './small-feed.js';

describe('lost messages of the bus', () => {
  let feed: SmallFeed;
  let bus: Bus;
  let epoch: string;
  beforeAll(async () => {
    feed = await SmallFeed.start([3, 5, 3, 3, 5, 1]);
    ({ bus, epoch } = feed);
  });
  afterAll(() => feed.stop());

  const at = (...sequences: readonly number[]): ReadonlyMap<number, Position> =>
    new Map(sequences.map((sequence, partition) => [partition, { epoch, sequence }]));
  const dropped = async (positions: ReadonlyMap<number, Position>): Promise<number | undefined> =>
    (await lostMessages(bus, positions))?.messages;

  it('are none while the bus has all', async () => {
    expect(await dropped(at(2, 1))).toBeUndefined();
  });

  it('are those missing after the furthest position that was read', async () => {
    await bus.jsm.streams.purge(RECORDS_STREAM, { seq: 5 });
    expect(await lostMessages(bus, at(2, 1))).toEqual({ kind: 'dropped', after: { epoch, sequence: 2 }, messages: 2 });
    expect(await dropped(at(4, 1))).toBeUndefined();
    expect(await dropped(at(6, 1))).toBeUndefined();
  });

  it('are the newest when the last read message has expired and the remaining ones are older', async () => {
    const firstAt = Date.parse((await bus.jsm.streams.info(RECORDS_STREAM)).state.first_ts);
    const readAt = (storedAt: number): ReadonlyMap<number, Position> =>
      new Map([[3, { epoch, sequence: 2, message: { digest: 'expired', storedAt } }]]);
    expect(await lostMessages(bus, readAt(firstAt - 1_000))).toMatchObject({ kind: 'dropped', messages: 2 });
    expect(await lostMessages(bus, readAt(firstAt + 1_000))).toMatchObject({ kind: 'shortened', messages: 1 });
  });

  it('are all up to the next sequence when the stream is empty', async () => {
    await bus.jsm.streams.purge(RECORDS_STREAM);
    expect(await dropped(at(2, 4))).toBe(2);
    expect(await dropped(at(6))).toBeUndefined();
  });

  it('are none when nothing was read', async () => {
    expect(await dropped(new Map())).toBeUndefined();
  });

  it('are at least those missing between the end of the stream and the furthest position that was read', async () => {
    const lost = { kind: 'shortened', after: { epoch, sequence: 9 }, messages: 3 };
    expect(await lostMessages(bus, at(2, 9))).toEqual(lost);
    expect(await lostMessages(bus, new Map([[1, { epoch: 'another', sequence: 1 }]]))).toMatchObject({
      kind: 'shortened',
      messages: 1,
    });
  });

  it('are detected by the content when another message has the sequence of the last read one', async () => {
    const { seq: sequence } = await bus.js.publish(recordsSubject(2), '{"new":1}');
    const message = await bus.jsm.streams.getMessage(RECORDS_STREAM, { seq: sequence });
    const mark = { digest: 'another', storedAt: message?.time.getTime() ?? 0 };
    expect(await lostMessages(bus, new Map([[2, { epoch, sequence, message: mark }]]))).toMatchObject({
      kind: 'shortened',
      messages: 1,
    });
  });

  it('are none when the last read message expires during the check', async () => {
    const { seq: sequence } = await bus.js.publish(recordsSubject(2), '{"new":2}');
    const message = await bus.jsm.streams.getMessage(RECORDS_STREAM, { seq: sequence });
    const mark = { digest: 'gone', storedAt: message?.time.getTime() ?? 0 };
    const before = await bus.jsm.streams.info(RECORDS_STREAM);
    await bus.jsm.streams.purge(RECORDS_STREAM);
    expect(await isRecognised(bus, before, { epoch, sequence, message: mark })).toBe(true);
  });
});
