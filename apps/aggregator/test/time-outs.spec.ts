import { CALLS_CHANGED_SUBJECT, type CallsChanged } from '@ringdown/contracts/calls';
import { partitionOfCall, PARTITIONS } from '@ringdown/contracts/records';
import { eventually } from '@ringdown/testing/eventually';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { Metrics } from '@ringdown/observability';
import type { Call } from '../src/calls/call.js';
import { defaultRules, deriveCall } from '../src/calls/derive-call.js';
import { CallSweeper } from '../src/feed/call-sweeper.js';
import { CallsChangedPublisher } from '../src/feed/calls-changed.js';
import { FeedMetrics } from '../src/feed/feed-metrics.js';
import { CallStore } from '../src/store/calls/call-store.js';
import { Database } from '../src/store/database/database.js';
import { readMigrations } from '../src/store/database/migration-files.js';
import { FeedPartitions } from '../src/store/feed/feed-partitions.js';
import { IdleCalls, type CallBatch } from '../src/store/calls/idle-calls.js';
import { partitionPositions } from '../src/store/feed/positions.js';
import { Surroundings, type Page, type RunningAggregator } from './aggregator-under-test.js';
import { callIdIn, endXml, published, reportXml, startXml } from './feed-examples.js';

const DAY = 86_400_000;
/** The longest time for processing one call. */
const LIMIT_MS = 500;
/** Long enough that the service's own sweep does not run in between, and finds nothing at its start. */
const NO_SWEEP = { TIMEOUT_SWEEP_SECONDS: '3600', CALL_TIMEOUT_SECONDS: '604800' };

describe('calls without an end', () => {
  let around: Surroundings;
  let database: Database;
  const publishedCalls: Call[] = [];
  /** Some days ago, so that a day later is also in the past. */
  let clock = 0;

  beforeAll(async () => {
    around = await Surroundings.start();
    database = new Database({ url: around.database.url, poolSize: 2, logger: quietLogger() });
    around.bus.subscribe(CALLS_CHANGED_SUBJECT, (message) =>
      publishedCalls.push(...(message as CallsChanged<Call>).calls),
    );
  });
  beforeEach(() => {
    clock = Date.now() - 5 * DAY;
  });
  afterEach(() => around.stopAggregators());
  afterAll(async () => {
    await database.close();
    await around.stop();
  });

  /** Sweeps like a replica beside the aggregator, by the clock of the test. */
  function sweeper(foundAtOnce = 5_000, metrics = new Metrics(), derive = deriveCall): CallSweeper {
    const { bus } = around;
    const logger = quietLogger();
    return new CallSweeper({
      bus,
      store: new CallStore({ database, rules: defaultRules, limitMs: 60_000 }),
      partitions: new FeedPartitions({ database, wanted: PARTITIONS, logger }),
      idleCalls: new IdleCalls({ database, rules: defaultRules, limitMs: LIMIT_MS, logger, derive }),
      changed: new CallsChangedPublisher(bus, logger),
      metrics: new FeedMetrics(metrics),
      logger,
      periodMs: 1_000,
      now: () => Promise.resolve(clock),
      foundAtOnce,
    });
  }

  async function batchOf(callId: string): Promise<CallBatch> {
    const partition = partitionOfCall(callId);
    const position = (await partitionPositions(database)).get(partition);
    if (position === undefined) throw new Error('nothing was read of its partition');
    return { partition, partitions: PARTITIONS, position, callKeys: [callId] };
  }

  async function show(aggregator: RunningAggregator, callId: string): Promise<Call> {
    return (await aggregator.get<Call>(`/api/calls/${callId}`, around.operator)).body;
  }

  it('expire on time, and are published once as expired', async () => {
    const aggregator = await around.startAggregator(NO_SWEEP);
    await around.publish(published(startXml({ callId: 'idle1', frontEnd: 'idle.example.test' }), clock));
    await around.call(aggregator, 'idle1');
    clock += DAY - 1;
    await sweeper().sweep();
    expect(await show(aggregator, 'idle1')).toMatchObject({ state: 'active', version: 1 });
    clock += 1;
    await Promise.all([sweeper().sweep(), sweeper().sweep()]);
    await sweeper().sweep();
    expect(await show(aggregator, 'idle1')).toMatchObject({ state: 'expired', endReason: 'expired', version: 2 });
    await eventually('the published change', () =>
      publishedCalls.some(({ callId, state }) => callId === 'idle1' && state === 'expired'),
    );
    expect(publishedCalls.filter(({ callId }) => callId === 'idle1').map(({ version }) => version)).toEqual([1, 2]);
    expect(await aggregator.get('/api/front-ends/idle.example.test', around.operator)).toMatchObject({
      body: { expired: 1, records: 1, callsInProgress: 0 },
    });
    const listed = await aggregator.get<{ items: Call[] }>('/api/calls?state=expired', around.operator);
    expect(listed.body.items.map(({ callId }) => callId)).toContain('idle1');
  });

  it('expire even when many calls before them have a partition with unread records', async () => {
    const aggregator = await around.startAggregator(NO_SWEEP);
    const [waiting, free] = [1, 2];
    const older = ['one', 'two', 'three'].map((name) => callIdIn(waiting, `older-${name}`));
    const newer = callIdIn(free, 'newer');
    for (const callId of older) await around.publish(published(startXml({ callId }), clock - 1_000));
    await around.publish(published(startXml({ callId: newer }), clock));
    for (const callId of [...older, newer]) await around.call(aggregator, callId);
    await around.stopAggregators();
    await around.publish(published(startXml({ callId: callIdIn(waiting, 'unread') }), clock));
    clock += DAY;
    const metrics = new Metrics();
    await sweeper(2, metrics).sweep();
    expect(await metrics.total('aggregator_past_due_calls')).toBe(older.length);
    const { rows } = await database.read((transaction) =>
      transaction.query<{ call_key: string; state: string }>(
        'select call_key, state from calls where call_key = any($1) order by state',
        [[...older, newer].map((callId) => callId.toLowerCase())],
      ),
    );
    expect(rows.map(({ state }) => state)).toEqual(['active', 'active', 'active', 'expired']);
    expect(rows.at(-1)?.call_key).toBe(newer.toLowerCase());
  });

  it('expire even when another stored call cannot be processed, which is not retried at once', async () => {
    const aggregator = await around.startAggregator(NO_SWEEP);
    const [frozen, other] = [callIdIn(3, 'frozen'), callIdIn(3, 'other')];
    for (const callId of [frozen, other]) await around.publish(published(startXml({ callId }), clock));
    for (const callId of [frozen, other]) await around.call(aggregator, callId);
    clock += DAY;
    let tries = 0;
    const derive: typeof deriveCall = (records, ...more) => {
      if (records.some(({ record }) => record.connection.callId === frozen)) {
        tries++;
        for (;;);
      }
      return deriveCall(records, ...more);
    };
    const poisoned = sweeper(5_000, new Metrics(), derive);
    await poisoned.sweep();
    expect(await show(aggregator, other)).toMatchObject({ state: 'expired' });
    expect(await show(aggregator, frozen)).toMatchObject({ state: 'active' });
    const triesSoFar = tries;
    await poisoned.sweep();
    expect(tries).toBe(triesSoFar);
    // A program that can process it does so.
    await sweeper().sweep();
    expect(await show(aggregator, frozen)).toMatchObject({ state: 'expired' });
  });

  it('stay expired after a late report, and end with their late end, each time with a higher version', async () => {
    const aggregator = await around.startAggregator(NO_SWEEP);
    await around.publish(published(startXml({ callId: 'idle2' }), clock));
    await around.call(aggregator, 'idle2');
    clock += DAY;
    await sweeper().sweep();
    expect(await show(aggregator, 'idle2')).toMatchObject({ state: 'expired', version: 2 });
    await around.publish(published(endXml({ callId: 'idle2' }), clock + 1_000));
    expect(await around.call(aggregator, 'idle2', ({ version }) => version === 3)).toMatchObject({
      state: 'ended',
      endReason: 'ended',
      duration: { seconds: 200.5 },
      records: [{}, {}],
      recordsLeftOut: 0,
    });
  });

  it('are restored when a record arrives, and expire a second time', async () => {
    const aggregator = await around.startAggregator(NO_SWEEP);
    await around.publish(published(startXml({ callId: 'idle3' }), clock));
    await around.call(aggregator, 'idle3');
    clock += DAY;
    await sweeper().sweep();
    await around.publish(published(startXml({ callId: 'idle3', cseq: 7, at: '2026-03-02T10:01:00Z' }), clock + 1_000));
    expect(await around.call(aggregator, 'idle3', ({ version }) => version === 3)).toMatchObject({ state: 'active' });
    clock += DAY + 1_000;
    await sweeper().sweep();
    expect(await show(aggregator, 'idle3')).toMatchObject({ state: 'expired', version: 4 });
  });

  it('are not lost in a restart: what is due meanwhile expires at once', async () => {
    const first = await around.startAggregator({ ...NO_SWEEP, CALL_TIMEOUT_SECONDS: '600' });
    await around.publish(published(startXml({ callId: 'idle4' }), Date.now() - 500_000));
    await around.call(first, 'idle4');
    await around.stopAggregators();
    const second = await around.startAggregator({ CALL_TIMEOUT_SECONDS: '100', TIMEOUT_SWEEP_SECONDS: '1' });
    expect(await around.call(second, 'idle4', ({ state }) => state === 'expired')).toMatchObject({ version: 2 });
    expect(await second.metric(/calls_timed_out_total\{reason="expired"\} (\d+)/)).toMatch(/^[1-9]/);
  });

  it('do not expire while their end is still unread', async () => {
    const aggregator = await around.startAggregator(NO_SWEEP);
    await around.publish(published(startXml({ callId: 'idle5' }), clock - 1.5 * DAY));
    await around.call(aggregator, 'idle5');
    await around.stopAggregators();
    await around.publish(published(endXml({ callId: 'idle5' }), clock - 1.5 * DAY));
    await sweeper().sweep();
    const again = await around.startAggregator(NO_SWEEP);
    const call = await around.call(again, 'idle5', ({ state }) => state === 'ended');
    expect(call).toMatchObject({ version: 2, endReason: 'ended' });
    expect(publishedCalls.filter(({ callId }) => callId === 'idle5').map(({ state }) => state)).toEqual([
      'active',
      'ended',
    ]);
  });

  it('are restored when a clock that was ahead has expired them, as soon as that is detected', async () => {
    const aggregator = await around.startAggregator(NO_SWEEP);
    await around.publish(published(startXml({ callId: 'idle6' })));
    await around.call(aggregator, 'idle6');
    clock = Date.now() + 40 * DAY;
    const idleCalls = new IdleCalls({ database, rules: defaultRules, limitMs: 60_000, logger: quietLogger() });
    await idleCalls.timeOut(await batchOf('idle6'), clock);
    expect(await show(aggregator, 'idle6')).toMatchObject({ state: 'expired', version: 2 });
    clock = Date.now();
    await sweeper().sweep();
    expect(await show(aggregator, 'idle6')).toMatchObject({ state: 'active', endReason: null, version: 3 });
  });

  it('from an older program are rebuilt from their records', async () => {
    const aggregator = await around.startAggregator(NO_SWEEP);
    await around.publish(published(startXml({ callId: 'old1' }), clock));
    await around.call(aggregator, 'old1');
    await database.write(async (transaction) => {
      await transaction.query(
        `update calls set stale = true, waits_for = null, call = '{"callId":"old1"}' where call_key = 'old1'`,
      );
      await transaction.query(
        `insert into calls select copied.*
         from calls, jsonb_populate_record(calls, '{"call_key":"old without records"}') as copied
         where calls.call_key = 'old1'`,
      );
    });
    await sweeper().sweep();
    expect(await show(aggregator, 'old1')).toMatchObject({
      state: 'active',
      endReason: null,
      clocks: [{}],
      version: 2,
    });
    const { rows } = await database.read((transaction) =>
      transaction.query<{ waits_for: string | null; stale: boolean }>(
        `select waits_for, stale from calls where call_key in ('old1', 'old without records') order by call_key desc`,
      ),
    );
    expect(rows).toEqual([
      { waits_for: 'call', stale: false },
      { waits_for: null, stale: false },
    ]);
  });

  it('expire also while calls of an older program are rebuilt', async () => {
    const aggregator = await around.startAggregator(NO_SWEEP);
    const old = ['rebuilt1', 'rebuilt2'];
    for (const callId of [...old, 'due1']) {
      await around.publish(published(startXml({ callId }), clock));
      await around.call(aggregator, callId);
    }
    await database.write((transaction) =>
      transaction.query(`update calls set stale = true where call_key = any($1)`, [old]),
    );
    const due = clock + DAY;
    const rebuilding: typeof deriveCall = (...call) => {
      clock = due;
      return deriveCall(...call);
    };
    await sweeper(1, new Metrics(), rebuilding).sweep();
    expect(await show(aggregator, 'due1')).toMatchObject({ state: 'expired' });
  });

  it('are read again by subscribers also when time-outs fail while they are rebuilt', async () => {
    const aggregator = await around.startAggregator(NO_SWEEP);
    await around.publish(published(startXml({ callId: 'rebuilt3' }), clock));
    await around.call(aggregator, 'rebuilt3');
    let requests = 0;
    const unsubscribe = around.bus.subscribe(CALLS_CHANGED_SUBJECT, (message) => {
      if ((message as CallsChanged<Call>).calls.length === 0) requests++;
    });
    await database.write((transaction) =>
      transaction.query(`update calls set stale = true where call_key = 'rebuilt3'`),
    );
    const rebuilding: typeof deriveCall = (...call) => {
      clock = Number.NaN;
      return deriveCall(...call);
    };
    await expect(sweeper(1, new Metrics(), rebuilding).sweep()).rejects.toThrow('NaN');
    await eventually('the request to read again', () => requests === 1);
    unsubscribe();
  });

  // Releases before the catalogue judged such values (issue 37).
  it('from an older program lose the verdict of a value that cannot be', async () => {
    const aggregator = await around.startAggregator(NO_SWEEP);
    const impossible = reportXml({ callId: 'judged1' }, 'audio', '<RoundTrip>65535</RoundTrip>');
    await around.publish(published(startXml({ callId: 'judged1' }), clock), published(impossible, clock));
    await around.call(aggregator, 'judged1', ({ version }) => version === 2);
    const cause = { metric: 'RoundTrip', value: 65_535, threshold: 500 };
    const judged = { ...(await show(aggregator, 'judged1')), verdict: 'bad', cause };
    await database.write((transaction) =>
      transaction.query(
        `update calls set verdict = 'bad', search_keys = search_keys || '{cause:RoundTrip}', call = $1, call_bytes = null
         where call_key = 'judged1'`,
        [JSON.stringify(judged)],
      ),
    );
    const found = async (): Promise<readonly string[]> => {
      const path = '/api/calls?cause=RoundTrip&from=1970-01-01T00:00:00Z';
      const { body } = await aggregator.get<Page<Call>>(path, around.operator);
      return body.items.map(({ callId }) => callId);
    };
    expect(await found()).toEqual(['judged1']);
    // 0041-rebuild-calls-for-audio.sql
    const rebuild = (await readMigrations()).find(({ version }) => version === 41);
    await database.write((transaction) => transaction.query(rebuild?.sql ?? ''));
    await sweeper().sweep();
    expect(await show(aggregator, 'judged1')).toMatchObject({ verdict: 'unknown', cause: null });
    expect(await found()).toEqual([]);
  });

  it('are distributed over several partitions in these tests', () => {
    expect(new Set(['idle1', 'idle2', 'idle3', 'idle4', 'idle5', 'old1'].map(partitionOfCall)).size).toBeGreaterThan(2);
  });
});
