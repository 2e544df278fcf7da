import { Module, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { LOGGER, Metrics } from '@ringdown/observability';
import { derived, provideClass } from '@ringdown/service';
import { ApiModule } from '../api.module.js';
import { CallFilters } from '../../search/query/call-filter-query.js';
import { ContextModule, fromSettings } from '../../context.module.js';
import { Sites } from '../../search/sites/sites.js';
import { FeedModule } from '../../feed/feed.module.js';
import { Database } from '../../store/database/database.js';
import { StoreModule } from '../../store/store.module.js';
import { AlertDecider } from '../../alerts/deciding/alert-decider.js';
import { AlertLinks } from '../../alerts/delivery/alert-links.js';
import { AlertMetrics } from '../../alerts/deciding/alert-metrics.js';
import { AlertPreviews } from '../../alerts/deciding/alert-preview.js';
import { AlertRuleViews } from '../../alerts/rules/alert-rule-views.js';
import { AlertRules } from '../../alerts/rules/alert-rules.js';
import { AlertRulesController } from './alert-rules.controller.js';
import { AlertNotices } from '../../alerts/delivery/alert-notices.js';
import { AlertReceivers } from '../../alerts/delivery/alert-receivers.js';
import { AlertReceiversController } from './alert-receivers.controller.js';
import { AlertTasks } from '../../alerts/deciding/alert-tasks.js';
import { Alerts } from '../../alerts/alerts.js';
import { AlertsController } from './alerts.controller.js';
import { NoticeDeliverer } from '../../alerts/delivery/notice-deliverer.js';
import { FileRules } from '../../alerts/rules/file-rules.js';
import { OpenAlertReminder } from '../../alerts/delivery/open-alert-reminder.js';
import { ruleFilter, ruleReader } from './rule-searches.js';
import { RuleTests } from './rule-tests.js';
import { FeedReader } from '../../feed/feed-reader.js';

/** Holds the connection that evaluates rules: records never wait for it. */
class AlertDatabase extends Database {}

/** Rules of operators about calls and feeds, and the alerts that they raise. */
@Module({
  imports: [ContextModule, StoreModule, FeedModule, ApiModule],
  controllers: [AlertRulesController, AlertsController, AlertReceiversController],
  providers: [
    provideClass(AlertDatabase, { url: fromSettings('databaseUrl'), logger: LOGGER }),
    provideClass(AlertRules, Database),
    provideClass(Alerts, Database),
    provideClass(AlertNotices, Database),
    provideClass(AlertReceivers, fromSettings('alertReceivers')),
    provideClass(RuleTests, AlertReceivers, AlertRuleViews, AlertLinks),
    provideClass(NoticeDeliverer, {
      notices: AlertNotices,
      receivers: AlertReceivers,
      metrics: AlertMetrics,
      logger: LOGGER,
    }),
    provideClass(FileRules, {
      file: fromSettings('alertRulesFile'),
      rules: AlertRules,
      readRule: derived(CallFilters, ruleReader),
      receivers: AlertReceivers,
      logger: LOGGER,
    }),
    provideClass(OpenAlertReminder, { notices: AlertNotices, receivers: AlertReceivers, logger: LOGGER }),
    provideClass(AlertMetrics, Metrics),
    provideClass(AlertRuleViews, IdentityHiding),
    provideClass(
      AlertLinks,
      IdentityHiding,
      fromSettings(({ publicOrigins }) => publicOrigins.first),
    ),
    provideClass(AlertPreviews, Database, derived(CallFilters, ruleFilter), Sites, IdentityHiding),
    provideClass(AlertDecider, {
      database: AlertDatabase,
      rules: AlertRules,
      ruleFilter: derived(CallFilters, ruleFilter),
      sites: Sites,
      hiding: IdentityHiding,
      views: AlertRuleViews,
      links: AlertLinks,
      metrics: AlertMetrics,
      logger: LOGGER,
    }),
    provideClass(AlertTasks, {
      fileRules: FileRules,
      decider: AlertDecider,
      deliverer: NoticeDeliverer,
      reminder: OpenAlertReminder,
      alerts: Alerts,
      reader: FeedReader,
      periodMs: fromSettings(({ alertSeconds }) => alertSeconds * 1_000),
      historyDays: fromSettings('historyDays'),
      logger: LOGGER,
    }),
  ],
})
export class AlertsModule implements OnApplicationBootstrap, OnModuleDestroy, OnApplicationShutdown {
  constructor(
    private readonly tasks: AlertTasks,
    private readonly fileRules: FileRules,
    private readonly database: AlertDatabase,
  ) {}

  onApplicationBootstrap(): void {
    this.tasks.start();
  }

  async onModuleDestroy(): Promise<void> {
    this.fileRules.close();
    await this.tasks.stop();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
