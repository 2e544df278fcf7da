import { jest } from '@jest/globals';
import { RECORDS_STREAM, type PublishedRecord } from '@ringdown/contracts/records';
import { Bus } from '@ringdown/nats';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { setImmediate } from 'node:timers/promises';
import { RecordPublisher } from '../src/index.js';
import { LINGER_MS } from '../src/linger.js';
import { ensureFeedStreams } from '../src/doors/streams.js';

/** All are of one partition, so that each message of the publisher is one of the stream. */
function record(id: string): PublishedRecord {
  return { id, receivedAt: 1, xml: '<x/>', record: { connection: { callId: 'call', frontEnds: [] }, events: [] } };
}

describe('records of several senders', () => {
  let nats: TestNats;
  let bus: Bus;
  let publisher: RecordPublisher;
  const [a, b, c] = [{}, {}, {}];

  beforeAll(async () => {
    nats = await startNats();
    bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    await ensureFeedStreams(bus, { recordsMaxAgeHours: 1, recordsMaxBytes: 2 ** 24 });
  });
  beforeEach(() => {
    // The clock stands, so that a wait ends only by what a test does; the connection to the bus needs none.
    jest.useFakeTimers({
      doNotFake: [
        'Date',
        'hrtime',
        'nextTick',
        'queueMicrotask',
        'setImmediate',
        'clearImmediate',
        'setInterval',
        'clearInterval',
      ],
    });
    publisher = new RecordPublisher({ bus });
  });
  afterEach(() => {
    jest.useRealTimers();
  });
  afterAll(async () => {
    await bus.close();
    await nats.stop();
  });

  /** Also those that were sent just before: they are before the question on the same connection. */
  async function messages(): Promise<number> {
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    return (await bus.jsm.streams.info(RECORDS_STREAM)).state.messages;
  }

  async function publishAtOnce(...senders: object[]): Promise<void> {
    await Promise.all(senders.map((sender, n) => publisher.publish(record(`at-once-${n}`), sender)));
  }

  it('wait for those of all that waited together before, and are then one message', async () => {
    await publishAtOnce(a, b, c);
    const before = await messages();
    const first = [publisher.publish(record('1'), a), publisher.publish(record('2'), b)];
    expect(await messages()).toBe(before);
    await Promise.all([...first, publisher.publish(record('3'), c)]);
    expect(await messages()).toBe(before + 1);
  });

  it('are stored after 4 ms when the others have none', async () => {
    await publishAtOnce(a, b, c);
    const before = await messages();
    const alone = publisher.publish(record('alone'), a);
    expect(await messages()).toBe(before);
    jest.advanceTimersByTime(LINGER_MS);
    await alone;
    expect(await messages()).toBe(before + 1);
  });

  it('are stored before the publisher is idle', async () => {
    await publishAtOnce(a, b, c);
    let isStored = false;
    void publisher.publish(record('last'), a).then(() => (isStored = true));
    await messages();
    const idle = publisher.idle();
    while (publisher.queue.now > 0) await jest.advanceTimersByTimeAsync(1);
    await jest.advanceTimersByTimeAsync(10);
    await idle;
    expect(isStored).toBe(true);
  });

  it('wait for nobody when one or two senders have records', async () => {
    await publishAtOnce(a, a, a, b);
    await publishAtOnce(a);
    await publishAtOnce(b, b);
    await Promise.all([publisher.publish(record('x')), publisher.publish(record('y')), publisher.publish(record('z'))]);
    expect(await publisher.publish(record('without a sender'))).toBeUndefined();
  });

  it('do not wait when they fill a message', async () => {
    await publishAtOnce(a, b, c);
    const large = { ...record('large'), xml: 'x'.repeat(300_000) };
    const before = await messages();
    const both = [publisher.publish(large, a), publisher.publish(large, b)];
    await both[0];
    expect(await messages()).toBe(before + 1);
    jest.advanceTimersByTime(LINGER_MS);
    await both[1];
  });
});
