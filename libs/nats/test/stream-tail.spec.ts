import { eventually } from '@ringdown/testing/eventually';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Bus } from '../src/index.js';
import { StreamTail, type TailStart } from '../src/doors/reading.js';

const SUBJECT = 'tail.things';

describe('the tail of a stream', () => {
  let nats: TestNats;
  let bus: Bus;
  let streamNumber = 0;
  const tails: StreamTail[] = [];

  beforeAll(async () => {
    nats = await startNats();
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
  });
  afterEach(async () => {
    for (const tail of tails.splice(0)) await tail.stop();
  });
  afterAll(async () => {
    await bus.close();
    await nats.stop();
  });

  interface Followed {
    readonly stream: string;
    readonly subject: string;
    readonly starts: TailStart[];
    readonly received: string[];
  }

  async function ensure(stream: string, subject: string, max_msgs = -1): Promise<void> {
    const existing = await bus.jsm.streams.info(stream).catch(() => undefined);
    if (existing === undefined) await bus.jsm.streams.add({ name: stream, subjects: [subject], max_msgs });
  }

  /** Reads the tail of a new stream that holds these messages. */
  async function follow(before: readonly number[], backBytes = 1_000_000, max_msgs = -1): Promise<Followed> {
    const stream = `TOLD_${++streamNumber}`;
    const subject = `${SUBJECT}.${streamNumber}`;
    await ensure(stream, subject, max_msgs);
    const followed: Followed = { stream, subject, starts: [], received: [] };
    for (const n of before) await publish(followed, n);
    const tail = new StreamTail({
      bus,
      stream,
      logger: quietLogger(),
      backBytes,
      prepare: () => ensure(stream, subject, max_msgs),
      onStart: (start) => followed.starts.push(start),
      onMessage: ({ sequence, body }) => followed.received.push(`${sequence}:${body}`),
    });
    tails.push(tail);
    tail.start();
    return followed;
  }

  async function publish({ subject }: Followed, n: number): Promise<void> {
    // The id makes a second attempt, after a missing reply, the same message.
    await bus.js.publish(subject, String(n), { msgID: String(n) });
  }

  function receives({ received }: Followed, last: string): Promise<unknown> {
    return eventually(`message ${last}`, () => received.at(-1) === last);
  }

  it('contains the stored messages, then new ones', async () => {
    const followed = await follow([1, 2]);
    await receives(followed, '2:2');
    await publish(followed, 3);
    await receives(followed, '3:3');
    expect(followed.received).toEqual(['1:1', '2:2', '3:3']);
    expect(followed.starts).toMatchObject([{ after: 0, newest: 2 }]);
  });

  it('begins with the newest part of a long stream', async () => {
    const followed = await follow(
      Array.from({ length: 50 }, (_, n) => n),
      200,
    );
    await receives(followed, '50:49');
    expect(followed.starts).toMatchObject([{ newest: 50 }]);
    expect(followed.starts[0]?.after).toBeGreaterThan(30);
    expect(followed.received).toHaveLength(50 - (followed.starts[0]?.after ?? 0));
  });

  it('continues without a gap after the bus was killed, also when messages arrive before it reads again', async () => {
    const followed = await follow([1]);
    await receives(followed, '1:1');
    await nats.kill();
    await nats.restart();
    const isPublished = (): Promise<boolean> =>
      publish(followed, 2).then(
        () => true,
        () => false,
      );
    await eventually('the bus', isPublished);
    await receives(followed, '2:2');
    expect(followed.received).toEqual(['1:1', '2:2']);
    expect(followed.starts).toHaveLength(1);
  });

  it('begins again, and reports it, when the stream was recreated', async () => {
    const followed = await follow([1, 2, 3]);
    await receives(followed, '3:3');
    await bus.jsm.streams.delete(followed.stream);
    await eventually('the new stream', () => followed.starts.length === 2);
    await publish(followed, 4);
    await receives(followed, '1:4');
    const [first, second] = followed.starts;
    expect(second).toMatchObject({ after: 0, newest: 0 });
    expect(second?.epoch).not.toBe(first?.epoch);
  });

  it('reports it when the stream has dropped messages before they were read', async () => {
    const followed = await follow([1], 1_000_000, 2);
    await receives(followed, '1:1');
    await tails[0]?.stop();
    for (const n of [2, 3, 4, 5]) await publish(followed, n);
    tails[0]?.start();
    await receives(followed, '5:5');
    expect(followed.received).toEqual(['1:1', '4:4', '5:5']);
    expect(followed.starts.at(-1)).toMatchObject({ after: 3, newest: 5 });
  });
});
