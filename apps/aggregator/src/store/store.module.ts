import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { Health, LOGGER, Metrics, type Logger } from '@ringdown/observability';
import { provideClass } from '@ringdown/service';
import { callRulesFromSettings } from '../settings/call-settings.js';
import { ContextModule, fromSettings } from '../context.module.js';
import { Sites } from '../search/sites/sites.js';
import { SETTINGS, type Settings } from '../settings/settings.js';
import { CallCourseQueries } from './calls/call-course-queries.js';
import { CallLevels } from './calls/call-levels.js';
import { CallQueries } from './calls/call-queries.js';
import { CallStore } from './calls/call-store.js';
import { Database } from './database/database.js';
import { FeedPartitions } from './feed/feed-partitions.js';
import { History } from './calls/history.js';
import { IdleCalls } from './calls/idle-calls.js';
import { SavedSearches } from '../search/saved/saved-searches.js';
import { SearchOwners } from '../search/saved/search-owners.js';
import { TrunkLimits } from './limits/trunk-limits.js';
import { HourCounter } from './statistics/counting/hour-counter.js';
import { Statistics } from './statistics/statistics.js';
import { Suspects } from './statistics/suspects/suspects.js';
import { Suggestions } from '../search/words/suggestions.js';

const rules = fromSettings(callRulesFromSettings);
const limitMs = fromSettings('processingLimitMs');
/** Injects the {@link IdentityHiding} whose tokens are used to find calls. */
const LASTING_HIDING = Symbol('lasting hiding');

/** The database: calls, their records, history and statistics. */
@Module({
  imports: [ContextModule],
  providers: [
    { provide: LASTING_HIDING, inject: [SETTINGS, IdentityHiding], useFactory: lasting },
    { provide: Database, inject: [SETTINGS, LOGGER, Health, Metrics], useFactory: openDatabase },
    provideClass(CallStore, { database: Database, rules, hiding: LASTING_HIDING, limitMs }),
    provideClass(FeedPartitions, {
      database: Database,
      wanted: fromSettings(({ feedPartitions }) => Number(feedPartitions)),
      logger: LOGGER,
    }),
    provideClass(IdleCalls, { database: Database, rules, hiding: LASTING_HIDING, limitMs, logger: LOGGER }),
    provideClass(CallLevels, { database: Database, rules, limitMs }),
    provideClass(CallQueries, Database),
    provideClass(Suggestions, Database),
    provideClass(SavedSearches, Database),
    provideClass(SearchOwners, Database),
    provideClass(TrunkLimits, Database),
    provideClass(History, Database),
    provideClass(CallCourseQueries, Database, rules, limitMs),
    provideClass(Statistics, Database, Sites),
    provideClass(Suspects, Database, Sites),
    provideClass(HourCounter, { database: Database, sites: Sites, days: fromSettings('historyDays') }),
  ],
  exports: [
    Database,
    CallStore,
    FeedPartitions,
    IdleCalls,
    CallQueries,
    History,
    CallCourseQueries,
    CallLevels,
    Statistics,
    Suspects,
    HourCounter,
    Suggestions,
    SavedSearches,
    SearchOwners,
    TrunkLimits,
  ],
})
export class StoreModule implements OnApplicationShutdown {
  constructor(private readonly database: Database) {}

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}

function openDatabase(
  { databaseUrl: url, databaseReadUrl: readUrl, databasePoolSize: poolSize }: Settings,
  logger: Logger,
  health: Health,
  metrics: Metrics,
): Database {
  const database = new Database({ url, readUrl, poolSize, logger });
  health.add('database', () => database.check());
  // Calls can be queried while nothing is written, for example between two primaries.
  health.addLimiting('database writes', () => database.checkWrites());
  health.addLimiting('database files', () => database.damage.assertNone());
  const damaged = 'Files of the database that queries could not read because they are damaged';
  metrics.observedGauge('database_damaged_files', damaged, () => database.damage.count);
  const about = 'By how much the server of DATABASE_READ_URL is behind, seconds; 0 without it';
  metrics.observedGauge('database_read_lag_seconds', about, async () => (await database.lagSeconds()) ?? 0);
  return database;
}

/**
 * Calls that are indexed by tokens of a seed that lasts only as long as the process could not be found by the next one.
 */
function lasting({ identitySeed }: Settings, hiding: IdentityHiding): IdentityHiding | undefined {
  return identitySeed === undefined ? undefined : hiding;
}
