import {
  partitionOfCall,
  PARTITIONS,
  RECORDS_STREAM,
  recordsSubject,
  type PublishedRecord,
  type RecordBatch,
} from '@ringdown/contracts/records';
import { RejectedRecords } from '@ringdown/feed-bus';
import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { randomUUID } from 'node:crypto';
import { Database } from '../src/store/database/database.js';
import { Surroundings, type RunningAggregator } from './aggregator-under-test.js';
import { callIdIn, endXml, published, startXml } from './feed-examples.js';

/** Each test has its own front end, for counting. */
function testFrontEnd(prefix: string): string {
  return `${prefix}.example.test`;
}

/** Starts and ends of many calls in all partitions. */
function traffic(prefix: string, calls: number): readonly PublishedRecord[] {
  const ids = Array.from({ length: calls }, (_, n) => `${prefix}-${n}`);
  return ids.flatMap((callId) => {
    const record = { callId, frontEnd: testFrontEnd(prefix) };
    return [published(startXml(record)), published(endXml(record))];
  });
}

interface FrontEnds {
  readonly items: readonly { readonly name: string; readonly records: number }[];
}

interface Outcome {
  /** Calls that consist of exactly their two records. */
  readonly exact: number;
  /** Records that are counted for their front end. */
  readonly counted: number | undefined;
}

function allOf(calls: number): Outcome {
  return { exact: calls, counted: calls * 2 };
}

async function publishRaw(around: Surroundings, partition: number, message: unknown): Promise<void> {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  await around.bus.js.publish(recordsSubject(partition), body, { msgID: randomUUID() });
}

async function waiting(aggregator: RunningAggregator): Promise<boolean> {
  return (await aggregator.metric(/backlog_messages\{[^}]*\} ([1-9]\d*)/)) !== undefined;
}

describe('records during outages', () => {
  let around: Surroundings;

  beforeAll(async () => {
    around = await Surroundings.start({ ownDatabase: true });
  });

  afterEach(() => around.stopAggregators());
  afterAll(() => around.stop());

  /** The state of the traffic, after all of its calls have ended. */
  async function outcomeOf(aggregator: RunningAggregator, prefix: string, calls: number): Promise<Outcome> {
    let exact = 0;
    for (let n = 0; n < calls; n++) {
      const call = await around.call(aggregator, `${prefix}-${n}`, ({ state }) => state === 'ended');
      if (call.version === 2 && call.records.length === 2 && !call.partial) exact++;
    }
    const { body } = await aggregator.get<FrontEnds>('/api/front-ends', around.operator);
    return { exact, counted: body.items.find(({ name }) => name === testFrontEnd(prefix))?.records };
  }

  it('are read from where a stopped aggregator ended', async () => {
    const first = await around.startAggregator();
    const records = traffic('restart', 60);
    await around.publish(...records.slice(0, 50));
    await around.call(first, 'restart-0');
    await Promise.all([first.stop(), around.publish(...records.slice(50))]);
    const second = await around.startAggregator();
    expect(await outcomeOf(second, 'restart', 60)).toEqual(allOf(60));
  });

  it('wait for a killed database, and readiness reports it', async () => {
    const aggregator = await around.startAggregator();
    const records = traffic('dbkill', 40);
    await around.publish(...records.slice(0, 40));
    await around.call(aggregator, 'dbkill-0');
    await around.database.kill();
    await around.publish(...records.slice(40));
    const report = await eventually('the report of the lost database', async () => {
      const { ready, parts } = await aggregator.health.report();
      return ready ? undefined : parts;
    });
    expect(report['database']).toMatch(/database/);
    // BacklogGrows is about this.
    await eventually('the records that wait to be counted', () => waiting(aggregator), 30_000);
    expect(await aggregator.get('/api/calls', around.operator)).toMatchObject({ status: 503 });

    await around.database.restart();
    expect(await outcomeOf(aggregator, 'dbkill', 40)).toEqual(allOf(40));
    expect(await waiting(aggregator)).toBe(false);
    expect((await aggregator.health.report()).parts['database']).toBe('ok');
  });

  it('wait for a database that is not available yet', async () => {
    await around.database.kill();
    const aggregator = await around.startAggregator();
    await around.publish(...traffic('early', 2));
    expect((await aggregator.health.report()).parts['database schema']).toMatch(/not prepared|does not respond/);
    // PartitionsUnread is about these.
    expect(await aggregator.metric(/aggregator_partitions (\d+)/)).toBe('0');
    expect(await aggregator.metric(/aggregator_feed_partitions (\d+)/)).toBe(String(PARTITIONS));
    await around.database.restart();
    expect(await outcomeOf(aggregator, 'early', 2)).toEqual(allOf(2));
  });

  it('survive a killed bus', async () => {
    const aggregator = await around.startAggregator();
    const records = traffic('buskill', 5);
    await around.publish(...records.slice(0, 6));
    await around.call(aggregator, 'buskill-0');
    await around.nats.kill();
    await around.nats.restart();
    const publishAgain = (): Promise<boolean> =>
      around.publish(...records.slice(6)).then(
        () => true,
        () => false,
      );
    await eventually('the bus', publishAgain);
    expect((await outcomeOf(aggregator, 'buskill', 5)).exact).toBe(5);
  });

  it('count once when a batch arrives twice', async () => {
    const aggregator = await around.startAggregator();
    const records = traffic('twice', 1);
    const batch: RecordBatch = { v: 1, records };
    await publishRaw(around, partitionOfCall('twice-0'), batch);
    await publishRaw(around, partitionOfCall('twice-0'), batch);
    await publishRaw(around, partitionOfCall('twice-0'), batch);
    await eventually('the copies', async () => {
      return (await aggregator.metric(/records_total\{outcome="duplicate"\} (\d+)/)) === '4';
    });
    expect(await outcomeOf(aggregator, 'twice', 1)).toEqual(allOf(1));
  });

  it('count once when two aggregators read them at the same time', async () => {
    const [one, two] = await Promise.all([around.startAggregator(), around.startAggregator()]);
    const records = traffic('both', 100);
    for (let at = 0; at < records.length; at += 20) {
      await around.publish(...records.slice(at, at + 20));
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await outcomeOf(one, 'both', 100)).toEqual(allOf(100));
    expect(await outcomeOf(two, 'both', 100)).toEqual(allOf(100));
  });

  it('count once when another process has moved the position, and the collision is counted', async () => {
    const aggregator = await around.startAggregator();
    const callId = 'moved-0';
    await around.publish(published(startXml({ callId })));
    await around.call(aggregator, callId);
    const database = new Database({ url: around.database.url, poolSize: 1, logger: quietLogger() });
    await database.write((transaction) =>
      transaction.query('update partition_positions set sequence = sequence - 1 where partition = $1', [
        partitionOfCall(callId),
      ]),
    );
    await database.close();
    await around.publish(published(endXml({ callId })));
    const call = await around.call(aggregator, callId, ({ state }) => state === 'ended');
    expect([call.version, call.records.length]).toEqual([2, 2]);
    expect(await aggregator.metric(/update_collisions_total (\d+)/)).toBe('1');
  });

  it('are not blocked by unreadable messages, which operators can see', async () => {
    const aggregator = await around.startAggregator();
    const partition = 3;
    const good = (name: string): PublishedRecord => published(startXml({ callId: callIdIn(partition, name) }));
    const noText = good('notext');
    const withoutCallId = { ...good('x'), record: { connection: { frontEnds: [] }, events: [] } };
    const unfoldable = { ...good('events'), record: { ...noText.record, events: [null] } };
    const unstorable = { ...good('nul'), xml: 'a\0b' };
    await publishRaw(around, partition, 'this is not JSON');
    await publishRaw(around, partition, { v: 99, records: [] });
    await publishRaw(around, partition, {
      v: 1,
      records: [good('a'), withoutCallId, unstorable, good('b'), 7, unfoldable],
    });
    await publishRaw(around, partition, {
      v: 1,
      records: [good('c'), published(startXml({ callId: callIdIn(4, 'd') }))],
    });
    for (const name of ['a', 'b', 'c']) {
      expect(await around.call(aggregator, callIdIn(partition, name))).toMatchObject({ state: 'active', version: 1 });
    }
    const codes = await eventually('what was set aside', async () => {
      const items = await new RejectedRecords(around.bus).latest(20);
      return items.length >= 7 && items.map(({ code }) => code).toSorted();
    });
    expect(codes).toEqual([
      'unreadable-message',
      'unreadable-message',
      'unreadable-record',
      'unreadable-record',
      'unreadable-record',
      'unstorable-record',
      'unstorable-record',
    ]);
    const shown = await aggregator.get<{ items: readonly { reason: string; body: string; receivedAt: string }[] }>(
      '/api/rejected-records?limit=200',
      around.operator,
    );
    expect(shown.body.items).toHaveLength(7);
    expect(shown.body.items).toContainEqual(
      expect.objectContaining({
        body: 'this is not JSON',
        path: recordsSubject(partition),
        receivedAt: expect.stringMatching(/Z$/),
      }),
    );
    expect(await aggregator.metric(/records_total\{outcome="set_aside"\} (\d+)/)).toBe('7');
  });

  it('are read from the start of a recreated stream', async () => {
    const before = await around.startAggregator();
    await around.publish(...traffic('old', 8));
    expect(await outcomeOf(before, 'old', 8)).toEqual(allOf(8));
    await before.stop();
    const { config } = await around.bus.jsm.streams.info(RECORDS_STREAM);
    await around.bus.jsm.streams.delete(RECORDS_STREAM);
    await around.bus.jsm.streams.add(config);
    await around.publish(...traffic('new', 8));
    const after = await around.startAggregator();
    expect(await outcomeOf(after, 'new', 8)).toEqual(allOf(8));
    expect(await outcomeOf(after, 'old', 8)).toEqual(allOf(8));
  });
});
