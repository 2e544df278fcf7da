import {
  deadLetterSettings,
  ensureDeadLettersStream,
  ensureFeedStreams,
  RejectedRecords,
  streamSettings,
} from '@ringdown/bus';
import { IdentityHiding, identitySettings } from '@ringdown/identity-hiding';
import { problemStyle, publicOriginSettings } from '@ringdown/http-server';
import { announce, type WebService } from '@ringdown/service';
import type { Logger } from '@ringdown/observability';
import { setting } from '@ringdown/settings';
import { openTokenGuard } from '@ringdown/token-validation';
import { profileSettings } from '@ringdown/vendor-profile';
import { randomBytes } from 'node:crypto';
import { AggregatorModule } from './aggregator.module.js';
import { CallFilters } from './api/call-filter-query.js';
import { CallExport } from './api/call-export.js';
import { IdentityViews } from './api/identities.js';
import { LiveStream } from './api/live-stream.js';
import { callSettings, rulesOf } from './call-settings.js';
import { CallSweeper } from './feed/call-sweeper.js';
import { CallsChangedPublisher } from './feed/calls-changed.js';
import { AnswersOfCollectors } from './feed/collector-answers.js';
import { FeedMetrics } from './feed/feed-metrics.js';
import { FeedReader } from './feed/feed-reader.js';
import { RunningServices } from './feed/running-services.js';
import { HistoryKeeper } from './feed/history-keeper.js';
import { answerCallsInProgress } from './live/calls-in-progress-answers.js';
import { LiveCalls } from './live/live-calls.js';
import { CallCourseQueries } from './store/call-course-queries.js';
import { CallQueries } from './store/call-queries.js';
import { CallStore } from './store/call-store.js';
import { Database } from './store/database.js';
import { FrontEndQueries } from './store/front-ends.js';
import { History } from './store/history.js';
import { IdleCalls } from './store/idle-calls.js';
import { Statistics } from './store/statistics.js';

export const aggregatorSettings = {
  databaseUrl: setting.url('DATABASE_URL', ['postgres', 'postgresql'], {
    about: 'PostgreSQL database of calls; user and password may stand in the URL',
    secret: true,
  }),
  databasePoolSize: setting.integer('DATABASE_POOL_SIZE', {
    default: 4,
    min: 1,
    max: 100,
    about: 'Connections to the database; each partition of the feed that is read at the same time uses one',
  }),
  historyDays: setting.integer('HISTORY_DAYS', {
    default: 90,
    min: 1,
    max: 36_500,
    about: 'How long calls and their records are kept, days since they were first stored; they go by whole weeks',
  }),
  ...callSettings,
  ...streamSettings,
  ...deadLetterSettings,
  ...identitySettings,
  ...publicOriginSettings,
  ...profileSettings,
};

/** What operators see of each replica. */
const COUNTS = {
  folded: { metric: 'aggregator_records_total', where: { outcome: 'folded' } },
  duplicates: { metric: 'aggregator_records_total', where: { outcome: 'duplicate' } },
  setAside: { metric: 'aggregator_records_total', where: { outcome: 'set_aside' } },
  liveReaders: { metric: 'live_readers' },
};

/** Records into calls, and everything that is asked about calls under `/api`. */
export const aggregator: WebService<typeof aggregatorSettings> = {
  name: 'aggregator',
  fields: aggregatorSettings,
  async open(settings, context) {
    const { bus, health, logger, metrics, natsUrl } = context;
    await ensureFeedStreams(bus, settings);
    await ensureDeadLettersStream(bus, settings);
    const { vendorProfile, publicOrigins, databaseUrl, databasePoolSize } = settings;
    const database = new Database({ url: databaseUrl, poolSize: databasePoolSize, logger });
    const rules = rulesOf(settings);
    const hiding = hidingWith(settings.identitySeed, logger);
    // Calls that are found by tokens of a seed that goes with the process would not be found by the next.
    const lasting = settings.identitySeed === undefined ? undefined : hiding;
    const store = new CallStore(database, rules, lasting);
    const queries = new CallQueries(database);
    const feedMetrics = new FeedMetrics(metrics);
    const changed = new CallsChangedPublisher(bus, logger);
    const sweeper = new CallSweeper({
      bus,
      store,
      idleCalls: new IdleCalls(database, rules, lasting),
      changed,
      metrics: feedMetrics,
      logger,
      periodMs: settings.timeoutSweepSeconds * 1_000,
    });
    const historyKeeper = new HistoryKeeper({ history: new History(database), days: settings.historyDays, logger });
    const feedReader = new FeedReader({
      bus,
      database,
      store,
      queries,
      changed,
      sweeper,
      historyKeeper,
      metrics: feedMetrics,
      logger,
    });
    health.add('database', () => database.check());
    health.add('database schema', () => feedReader.assertPrepared());

    const { web } = vendorProfile;
    const { guard, validator } = openTokenGuard({ bus, natsUrl, web, publicOrigins });
    const liveCalls = new LiveCalls({ bus, queries, hiding, metrics, logger });
    const liveStream = new LiveStream({ liveCalls, validator, web });
    const rejected = new RejectedRecords(bus);
    const stopAnswering = answerCallsInProgress(bus, queries);
    feedReader.start();
    announce(context, { service: 'aggregator', counts: COUNTS, partitions: () => feedReader.partitions });
    return {
      module: AggregatorModule.register({
        database,
        queries,
        courses: new CallCourseQueries(database, rules),
        exports: new CallExport(queries, hiding, logger),
        filters: new CallFilters(settings.sites),
        identities: new IdentityViews(hiding, vendorProfile),
        frontEnds: new FrontEndQueries(database),
        statistics: new Statistics(database, settings.sites),
        feedReader,
        liveCalls,
        liveStream,
        rejected,
        answers: new AnswersOfCollectors(bus, logger),
        running: new RunningServices(bus, store),
        stopAnswering,
        guard,
        validator,
      }),
      errorStyles: [problemStyle('/api')],
    };
  },
};

/** Without a seed users are hidden all the same, but nobody can tell whether two answers are about the same ones. */
function hidingWith(seed: string | undefined, logger: Logger): IdentityHiding {
  if (seed === undefined)
    logger.info(
      'IDENTITY_SEED is not set: users are hidden behind other tokens after each start, and not found by them',
    );
  return new IdentityHiding(seed ?? randomBytes(24).toString('hex'));
}
