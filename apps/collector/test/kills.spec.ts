import { RECORDS_STREAM, type RecordBatch } from '@ringdown/contracts/records';
import { Bus } from '@ringdown/nats';
import { FeedLoad } from '@ringdown/testing/feed-load';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import type { ServiceProcess } from '@ringdown/testing/service-process';
import { Started } from '@ringdown/testing/started';
import { startCollector } from './collector-process.js';
import { makeFeedStreams } from './feed-owner.js';
import { startRecord } from './running-collector.js';

const SENDERS = 8;
const READ_AT_ONCE = 100;

describe('records that were acknowledged with 200', () => {
  const started = new Started();
  let nats: TestNats;
  let collector: ServiceProcess;

  beforeAll(async () => {
    nats = started.add(await startNats());
    await makeFeedStreams(nats.url);
    collector = started.add(await startCollector({ NATS_URL: nats.urlOf('collector') }));
  });
  afterAll(() => started.stopAll());

  /** How often the stream contains each call. */
  async function stored(): Promise<ReadonlyMap<string, number>> {
    const bus = started.add(
      new ClosedAtEnd(await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() })),
    ).bus;
    const { state } = await bus.jsm.streams.info(RECORDS_STREAM);
    const times = new Map<string, number>();
    for (let first = state.first_seq; first <= state.last_seq; first += READ_AT_ONCE) {
      const some = Array.from({ length: Math.min(READ_AT_ONCE, state.last_seq - first + 1) }, (_, i) => first + i);
      const messages = await Promise.all(some.map((seq) => bus.jsm.streams.getMessage(RECORDS_STREAM, { seq })));
      for (const { record } of messages.flatMap((message) => message?.json<RecordBatch>().records ?? [])) {
        const { callId } = record.connection;
        times.set(callId, (times.get(callId) ?? 0) + 1);
      }
    }
    return times;
  }

  async function killCollector(): Promise<void> {
    await collector.kill();
    await collector.launch();
  }

  async function killBus(): Promise<void> {
    await nats.kill();
    await nats.restart();
  }

  it('are stored, each once, however often collector and bus are killed meanwhile', async () => {
    const load = new FeedLoad({ bases: [collector.base], senders: SENDERS, record: startRecord });
    try {
      for (const kill of [killCollector, killBus, killCollector, killBus]) {
        await load.untilAcknowledged(100);
        await kill();
      }
      await load.untilAcknowledged(100);
      await Promise.all([killBus(), killCollector()]);
      await load.untilAcknowledged(100);
    } finally {
      await load.stop();
    }
    const times = await stored();
    const lost = [...load.acknowledged].filter((callId) => !times.has(callId));
    const twice = [...times].filter(([, count]) => count > 1);
    expect({ lost, twice }).toEqual({ lost: [], twice: [] });
    // Nothing is stored that was not sent, and the load shows that the kills had an effect.
    const sent = load.acknowledged.union(load.unknown);
    expect([...times.keys()].filter((callId) => !sent.has(callId))).toEqual([]);
    expect(load.acknowledged.size).toBeGreaterThanOrEqual(600);
    expect(load.unknown.size).toBeGreaterThan(0);
  }, 600_000);
});

class ClosedAtEnd {
  constructor(readonly bus: Bus) {}

  stop(): Promise<void> {
    return this.bus.close();
  }
}
