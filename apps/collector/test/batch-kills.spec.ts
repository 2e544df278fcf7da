import { RECORDS_STREAM, type RecordBatch } from '@ringdown/contracts/records';
import { collectorAddress, RecordSender } from '@ringdown/feed-client';
import { Bus } from '@ringdown/nats';
import { startNats, type TestNats } from '@ringdown/testing/servers/nats';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import type { ServiceProcess } from '@ringdown/testing/service-process';
import { Started } from '@ringdown/testing/started';
import { defaultProfile } from '@ringdown/vendor-profile';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { startCollector } from './collector-process.js';
import { makeFeedStreams } from './feed-owner.js';

const AT_ONCE = 64;
const ROUNDS = 40;
/** After these rounds something is killed while the next batch is under way. */
const COLLECTOR_KILLS = [8, 24];
const BUS_KILLS = [16, 32];

function record(callId: string): DiagnosticsRecord {
  return { version: '1.0', connection: { callId, frontEnds: ['fe1'] }, events: [{ kind: 'ended' }] };
}

describe('batches of a sender with retries', () => {
  const started = new Started();
  let nats: TestNats;
  let collector: ServiceProcess;
  let retries = 0;

  beforeAll(async () => {
    nats = started.add(await startNats());
    await makeFeedStreams(nats.url);
    collector = started.add(await startCollector({ NATS_URL: nats.urlOf('collector') }));
  });
  afterAll(() => started.stopAll());

  async function kill(round: number): Promise<void> {
    if (COLLECTOR_KILLS.includes(round)) {
      await collector.kill();
      await collector.launch();
    } else if (BUS_KILLS.includes(round)) {
      await nats.kill();
      await nats.restart();
    }
  }

  /** The calls in the stream, in order. */
  async function storedCalls(): Promise<readonly string[]> {
    const bus = await Bus.connect({ url: nats.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
    const { state } = await bus.jsm.streams.info(RECORDS_STREAM);
    const calls: string[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const message = await bus.jsm.streams.getMessage(RECORDS_STREAM, { seq });
      calls.push(...(message?.json<RecordBatch>().records ?? []).map((each) => each.record.connection.callId));
    }
    return calls;
  }

  it('lose no record when collector and bus are killed, and repeat only what was not acknowledged', async () => {
    const sender = new RecordSender({
      address: collectorAddress(collector.base, defaultProfile),
      frontEnd: 'fe1',
      profile: defaultProfile,
      persistence: { maxRetry: 10_000, maxDelayLimit: 5, maxBackoffMs: 1_000, maxRetryBeforeFailover: 10 },
      onRetry: () => retries++,
    });
    started.add({ stop: () => Promise.resolve(sender.close()) });
    await sender.open();
    expect(sender.acceptsBatches).toBe(true);
    const sent = Array.from({ length: ROUNDS * AT_ONCE }, (_, n) => `call-${n}`);
    const outcomes: string[] = [];
    for (let round = 0; outcomes.length < sent.length; round++) {
      const some = sent.slice(outcomes.length, outcomes.length + AT_ONCE);
      const [deliveries] = await Promise.all([sender.sendBatch(some.map(record)), kill(round)]);
      outcomes.push(...deliveries.map(({ outcome }) => outcome));
    }
    const stored = await storedCalls();
    expect(new Set(outcomes)).toEqual(new Set(['answered']));
    expect(sent.filter((callId) => !stored.includes(callId))).toEqual([]);
    expect(new Set(stored).size).toBe(sent.length);
    // Of each kill, at most the batch that was under way.
    expect(stored.length - sent.length).toBeLessThanOrEqual((COLLECTOR_KILLS.length + BUS_KILLS.length) * AT_ONCE);
    expect(retries).toBeGreaterThan(0);
  }, 300_000);
});
