import { ensureCallChangesStream, ensureDeadLettersStream, ensureFeedStreams } from '@ringdown/feed-bus/streams';
import { Bus } from '@ringdown/nats';
import { Metrics } from '@ringdown/observability';
import { readSettings } from '@ringdown/settings';
import { quietLogger } from '@ringdown/testing/quiet-logger';
import { aggregatorSettings } from '../src/settings/settings.js';
import { defaultRules } from '../src/calls/derive-call.js';
import { fold, type FoldCall } from '../src/calls/fold.js';
import { CallSweeper } from '../src/feed/call-sweeper.js';
import { CallsChangedPublisher } from '../src/feed/calls-changed.js';
import { ClockWatch } from '../src/feed/clock-watch.js';
import { FeedMetrics } from '../src/feed/feed-metrics.js';
import { FeedReader } from '../src/feed/feed-reader.js';
import { HistoryMaintenance } from '../src/feed/history-maintenance.js';
import { LossWatch } from '../src/feed/loss-watch.js';
import { CallQueries } from '../src/store/calls/call-queries.js';
import { CallStore } from '../src/store/calls/call-store.js';
import { databaseTime } from '../src/store/database/clock.js';
import { Database } from '../src/store/database/database.js';
import { FeedPartitions } from '../src/store/feed/feed-partitions.js';
import { History } from '../src/store/calls/history.js';
import { HourCounter } from '../src/store/statistics/counting/hour-counter.js';
import { IdleCalls } from '../src/store/calls/idle-calls.js';

/** When a reader fails or is killed, the next one takes over its work after this time. */
const LEASE_MS = 1_500;

export interface FeedReadingOptions {
  readonly natsUrl: string;
  readonly databaseUrl: string;
  readonly limitMs: number;
  readonly foldCall: FoldCall;
}

/** Everything that reads the feed in an aggregator, with a fold of the test and without the API. */
export async function startReading({ natsUrl, databaseUrl, limitMs, foldCall }: FeedReadingOptions): Promise<{
  metrics: Metrics;
  stop: () => Promise<void>;
}> {
  const logger = quietLogger();
  const bus = await Bus.connect({ url: natsUrl, name: 'reading', logger });
  const settings = readSettings(aggregatorSettings, { DATABASE_URL: databaseUrl });
  await ensureFeedStreams(bus, settings);
  await ensureDeadLettersStream(bus, settings);
  await ensureCallChangesStream(bus);
  const database = new Database({ url: databaseUrl, poolSize: 4, logger });
  const rules = defaultRules;
  const store = new CallStore({ database, rules, limitMs, foldCall });
  const partitions = new FeedPartitions({ database, wanted: Number(settings.feedPartitions), logger });
  const metrics = new Metrics();
  const feedMetrics = new FeedMetrics(metrics);
  const changed = new CallsChangedPublisher(bus, logger);
  const sweeper = new CallSweeper({
    bus,
    store,
    partitions,
    idleCalls: new IdleCalls({ database, rules, limitMs, logger }),
    changed,
    metrics: feedMetrics,
    logger,
    periodMs: 1_000,
    now: () => databaseTime(database),
  });
  const historyMaintenance = new HistoryMaintenance({
    history: new History(database),
    database,
    hours: new HourCounter({ database, sites: { subnets: [] }, days: 90 }),
    days: 90,
    logger,
  });
  const queries = new CallQueries(database);
  const reader = new FeedReader({
    bus,
    database,
    store,
    partitions,
    queries,
    changed,
    sweeper,
    historyMaintenance,
    clocks: new ClockWatch({ bus, database, metrics: feedMetrics, logger }),
    losses: new LossWatch({ bus, database, store, metrics: feedMetrics, logger }),
    metrics: feedMetrics,
    logger,
    leaseMs: LEASE_MS,
  });
  reader.start();
  return {
    metrics,
    stop: async () => {
      await reader.stop();
      await database.close();
      await bus.close();
    },
  };
}

/** Folds like the product, except for records of calls whose ids contain how they make it fail. */
export const poisonedFold: FoldCall = (known, incoming, rules, history) => {
  for (const { record } of incoming) {
    const { callId, cseq } = record.connection;
    if (callId.startsWith('frozen')) for (;;);
    if (callId.startsWith('exponential')) /^(?:a+)+$/.test(`${'a'.repeat(60)}b`);
    if (callId.startsWith('thrower')) throw new Error('this call is not to be folded');
    if (callId.startsWith('second-frozen') && cseq === 2) for (;;);
    if (callId.startsWith('hungry')) exhaustMemory();
  }
  return fold(known, incoming, rules, history);
};

/** In large pieces: small ones are collected again and again before the end. */
function exhaustMemory(): never {
  const kept: unknown[] = [];
  for (;;) kept.push(Array(1_000_000).fill(0));
}
