import { jest } from '@jest/globals';
import { TRACES_STREAM, type TracedMessage } from '@ringdown/contracts/traces';
import { collectorAddress, TraceSender, type TraceOutcome } from '@ringdown/feed-client';
import { Bus } from '@ringdown/nats';
import { eventually } from '@ringdown/testing/eventually';
import { PostgresServer } from '@ringdown/testing/servers/postgres-server';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Started } from '@ringdown/testing/started';
import { defaultProfile } from '@ringdown/vendor-profile';
import { Database } from '../../src/store/database/database.js';
import { unpackMessages } from '../../src/traces/packed-messages.js';
import { reportFault, faultRepetitions } from './report.js';
import { NOTHING_WRONG, WholeFeed } from './whole-feed.js';

jest.setTimeout(900_000);

const AT = Date.parse('2026-03-02T10:00:00Z') * 1_000;
/** The same end of all messages, which are as large as messages get. */
const REST = Buffer.alloc(60_000, 'x').toString('base64');
/** Instead of 64 MiB, which a busy machine takes minutes to fill. */
const STORE_BYTES = 1_048_576;
/** What the sender keeps, and what it gets each time: more than fits. */
const QUEUE_LENGTH = 30;
const BURST = 40;
const FLOOD_EVERY_MS = 500;
const RECORDS = 25;

/** Offers more messages than anything can store, and counts what became of them. */
class Flood {
  readonly counts: Record<TraceOutcome, number> = { stored: 0, dropped: 0, refused: 0 };
  offered = 0;
  private readonly sender: TraceSender;
  private readonly timer: NodeJS.Timeout;
  private isOn = false;

  constructor(collector: string) {
    const address = collectorAddress(collector, defaultProfile);
    this.sender = new TraceSender({
      address: () => address,
      frontEnd: 'flood.example.test',
      queueLength: QUEUE_LENGTH,
      retryMs: 100,
      onOutcome: (outcome, messages) => void (this.counts[outcome] += messages),
    });
    this.timer = setInterval(() => this.isOn && this.burst(), FLOOD_EVERY_MS);
  }

  on(): void {
    this.isOn = true;
  }

  off(): void {
    this.isOn = false;
  }

  /** Resolves when nothing waits any more. */
  async settle(): Promise<void> {
    this.off();
    await eventually('the last message to be accepted', () => this.sender.length === 0, 120_000);
  }

  stop(): Promise<void> {
    clearInterval(this.timer);
    this.sender.close();
    return Promise.resolve();
  }

  private burst(): void {
    for (let n = 0; n < BURST; n++) this.sender.add(message(this.offered++));
  }
}

function message(n: number): TracedMessage {
  const [source, destination] = [
    { ip: '192.0.2.10', port: 5060 },
    { ip: '192.0.2.20', port: 5060 },
  ];
  // A multiple of three bytes, so that it is base64 together with the rest.
  const start = Buffer.from(`INFO sip:ben@example.test SIP/2.0\r\nCSeq: ${n} INFO\r\n\r\n`.padEnd(99, 'x'));
  const payload = start.toString('base64') + REST;
  return { callId: `flood${n % 100}`, at: AT + n, source, destination, content: 'sip', point: '', payload };
}

describe('records beside a flood of messages', () => {
  const started = new Started();
  let feed: WholeFeed;
  let flood: Flood;
  let operator: Database;
  let bus: Bus;

  beforeAll(async () => {
    const server = await PostgresServer.start();
    const database = {
      url: server.url,
      kill: () => server.kill(),
      restart: () => server.launch(),
      stop: () => server.stop(),
    };
    feed = started.add(await WholeFeed.start({ database }));
    bus = await Bus.connect({ url: feed.bus.url, name: 'test', logger: quietLogger() });
    started.add({ stop: () => bus.close() });
    flood = started.add(new Flood(feed.collector.base));
    operator = new Database({ url: server.url, poolSize: 1, logger: quietLogger() });
    started.add({ stop: () => operator.close() });
  });
  afterAll(() => started.stopAll());

  async function change(...statements: readonly string[]): Promise<void> {
    for (const sql of statements) await operator.write((transaction) => transaction.query(sql));
  }

  /** Records are accepted and become calls, and none is rejected. */
  async function recordsGoOn(): Promise<void> {
    const rejected = feed.load.unknown.size;
    await feed.storesOn(RECORDS);
    expect(feed.load.unknown.size).toBe(rejected);
  }

  const rejections = (): Promise<number> =>
    feed.collector.metric('ringdown_collector_trace_messages_total{outcome="rejected"}');

  const storedMessages = async (): Promise<{ readonly all: number; readonly different: number }> => {
    const { rows } = await operator.read((transaction) =>
      transaction.query<{ packed: Buffer }>('select packed from trace_chunks'),
    );
    const messages = rows.flatMap(({ packed }) => unpackMessages(packed));
    return { all: messages.length, different: new Set(messages.map(({ at }) => at)).size };
  };

  it('are stored, each once, while the store of messages is stopped, full and slow; what is dropped is counted', async () => {
    const tries = faultRepetitions(10);
    for (let round = 0; round < tries; round++) {
      await recordsGoOn();
      flood.on();
      await recordsGoOn();

      // The services have set their own limit by now.
      await eventually('the first message', () => flood.counts.stored > 0);
      await bus.jsm.streams.update(TRACES_STREAM, { max_bytes: STORE_BYTES });
      await change('alter table trace_chunks rename to out_of_reach');
      const before = { dropped: flood.counts.dropped, rejected: await rejections() };
      await recordsGoOn();
      // The bus takes as many as it has room for, then the collector rejects them, and the sender drops what comes new.
      await eventually('a full store', async () => (await rejections()) > before.rejected, 120_000);
      await recordsGoOn();
      expect(flood.counts.dropped).toBeGreaterThan(before.dropped);

      await change(
        `create or replace function wait() returns trigger language plpgsql as 'begin perform pg_sleep(1); return null; end'`,
        'create trigger slow before insert on out_of_reach for each statement execute function wait()',
        'alter table out_of_reach rename to trace_chunks',
      );
      await recordsGoOn();
      await change('drop trigger slow on trace_chunks');
      await flood.settle();
    }
    const { stored, dropped, refused } = flood.counts;
    expect(stored + dropped).toBe(flood.offered);
    expect(refused).toBe(0);
    await eventually('all accepted messages', async () => (await storedMessages()).all >= stored, 240_000);
    // A batch without an answer was sent again: the database keeps it once.
    expect(await storedMessages()).toEqual({ all: stored, different: stored });
    const outcome = await feed.outcome();
    reportFault('store of messages stopped, full and slow', tries * 3, feed.load.acknowledged.size, outcome);
    expect(outcome).toEqual(NOTHING_WRONG);
    expect(feed.load.unknown.size).toBe(0);
  });
});
