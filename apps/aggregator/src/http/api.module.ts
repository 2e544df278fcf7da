import { Module, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { Bus } from '@ringdown/nats';
import { LOGGER } from '@ringdown/observability';
import { derived, provideClass } from '@ringdown/service';
import { TokenValidator, WEB_NAMES } from '@ringdown/token-validation';
import { Sites } from '../search/sites/sites.js';
import { CapturesModule } from '../captures/captures.module.js';
import { ContextModule, fromSettings } from '../context.module.js';
import { ClockWatch } from '../feed/clock-watch.js';
import { FeedModule } from '../feed/feed.module.js';
import { FeedReader } from '../feed/feed-reader.js';
import { LiveReaders } from '../live/live-readers.js';
import { LiveModule } from './live/live.module.js';
import { CallQueries } from '../store/calls/call-queries.js';
import { Database } from '../store/database/database.js';
import { CallSurroundings } from '../store/statistics/call-surroundings.js';
import { SearchOwners } from '../search/saved/search-owners.js';
import { StoreModule } from '../store/store.module.js';
import { SipFailuresModule } from '../sip-failures/sip-failures.module.js';
import { TracesModule } from '../traces/traces.module.js';
import { AccessWatch } from './access-watch.js';
import { CallExport } from './call-export.js';
import { CallFilters } from '../search/query/call-filter-query.js';
import { CallMetricsController } from './call-metrics.controller.js';
import { CallerController } from './caller.controller.js';
import { CapturesController } from './captures.controller.js';
import { CallsController } from './calls.controller.js';
import { Cursors } from './cursor.js';
import { ExportsController } from './exports.controller.js';
import { FrontEndsController } from './front-ends.controller.js';
import { IdentityViews } from '../search/names/identities.js';
import { LiveStream } from './live-stream.js';
import { TrunkLimitsController } from './limits/trunk-limits.controller.js';
import { MessagesController } from './messages.controller.js';
import { NameSearches } from './filters/name-searches.js';
import { OperatorFilters } from './filters/operator-filters.js';
import { RequestRate } from './operator-guard.js';
import { RejectedRecordsController } from './rejected-records.controller.js';
import { SavedSearchViews } from '../search/saved/saved-search-views.js';
import { SavedSearchesController } from './saved-searches.controller.js';
import { SearchOwnerCheck } from './search-owner-check.js';
import { ServicesController } from './services.controller.js';
import { SipFailuresController } from './sip-failures.controller.js';
import { StatisticsController } from './statistics/statistics.controller.js';
import { SuspectsController } from './statistics/suspects.controller.js';
import { sharedValueFilter } from './statistics/shared-value-filter.js';
import { SurroundingsController } from './statistics/surroundings.controller.js';
import { SuggestionsController } from './suggestions.controller.js';

/** Serves everything under `/api`. */
@Module({
  imports: [ContextModule, StoreModule, FeedModule, LiveModule, CapturesModule, TracesModule, SipFailuresModule],
  controllers: [
    CallerController,
    CallsController,
    CallMetricsController,
    CapturesController,
    FrontEndsController,
    MessagesController,
    RejectedRecordsController,
    SavedSearchesController,
    ServicesController,
    SipFailuresController,
    StatisticsController,
    SuggestionsController,
    SuspectsController,
    TrunkLimitsController,
    SurroundingsController,
    ExportsController,
  ],
  providers: [
    provideClass(RequestRate, { limit: fromSettings('apiRequestsPerMinute') }),
    // Without a seed, the replicas still share the URL of their database, including its password.
    provideClass(
      Cursors,
      fromSettings(({ identitySeed, databaseUrl }) => identitySeed ?? databaseUrl),
    ),
    provideClass(NameSearches, {
      hiding: IdentityHiding,
      allowed: fromSettings(({ searchByName }) => searchByName === 'operator'),
      logger: LOGGER,
    }),
    provideClass(
      CallFilters,
      Sites,
      derived(ClockWatch, (clocks) => () => clocks.now()),
    ),
    provideClass(OperatorFilters, CallFilters, NameSearches),
    provideClass(CallSurroundings, Database, Sites, derived(CallFilters, sharedValueFilter)),
    provideClass(IdentityViews, IdentityHiding, fromSettings('vendorProfile'), fromSettings('processingLimitMs')),
    provideClass(SavedSearchViews, IdentityHiding),
    provideClass(SearchOwnerCheck, { owners: SearchOwners, bus: Bus, reader: FeedReader, logger: LOGGER }),
    provideClass(CallExport, {
      queries: CallQueries,
      hiding: IdentityHiding,
      logger: LOGGER,
      sites: Sites,
      limitMs: fromSettings('processingLimitMs'),
      perUser: fromSettings('exportsPerUser'),
    }),
    provideClass(AccessWatch, { validator: TokenValidator, web: WEB_NAMES, logger: LOGGER }),
    provideClass(LiveStream, {
      liveReaders: LiveReaders,
      access: AccessWatch,
      perUser: fromSettings('liveReadersPerUser'),
    }),
  ],
  exports: [AccessWatch, RequestRate, CallFilters, OperatorFilters, NameSearches, Cursors],
})
export class ApiModule implements OnApplicationBootstrap, OnModuleDestroy {
  constructor(
    private readonly exports: CallExport,
    private readonly access: AccessWatch,
    private readonly searchOwnerCheck: SearchOwnerCheck,
  ) {}

  onApplicationBootstrap(): void {
    this.searchOwnerCheck.start();
  }

  /** Running exports would keep the listener from closing. */
  async onModuleDestroy(): Promise<void> {
    this.exports.close();
    this.access.close();
    await this.searchOwnerCheck.stop();
  }
}
