import { Module } from '@nestjs/common';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { ApiModule } from '../api/api.module.js';
import { CallFilters } from '../api/call-filter-query.js';
import { ContextModule } from '../context.module.js';
import { FeedModule } from '../feed/feed.module.js';
import { SETTINGS, type Settings } from '../settings.js';
import { Database } from '../store/database.js';
import { StoreModule } from '../store/store.module.js';
import { AlertPreviews } from './alert-preview.js';
import { AlertRuleViews } from './alert-rule-views.js';
import { AlertRules } from './alert-rules.js';
import { AlertRulesController } from './alert-rules.controller.js';

/** Rules of operators about calls and feeds. */
@Module({
  imports: [ContextModule, StoreModule, FeedModule, ApiModule],
  controllers: [AlertRulesController],
  providers: [
    { provide: AlertRules, inject: [Database], useFactory: (database: Database) => new AlertRules(database) },
    {
      provide: AlertRuleViews,
      inject: [IdentityHiding],
      useFactory: (hiding: IdentityHiding) => new AlertRuleViews(hiding),
    },
    {
      provide: AlertPreviews,
      inject: [Database, CallFilters, SETTINGS],
      useFactory: (database: Database, filters: CallFilters, { sites }: Settings) =>
        new AlertPreviews(database, filters, sites),
    },
  ],
})
export class AlertsModule {}
