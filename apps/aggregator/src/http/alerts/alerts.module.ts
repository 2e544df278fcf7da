import { Module, type OnApplicationBootstrap, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { IdentityHiding } from '@ringdown/identity-hiding';
import { LOGGER, Metrics, type Logger } from '@ringdown/observability';
import { provideClass } from '@ringdown/service';
import { ApiModule } from '../api.module.js';
import { CallFilters } from '../../search/query/call-filter-query.js';
import { ContextModule } from '../../context.module.js';
import { FeedModule } from '../../feed/feed.module.js';
import { SETTINGS, type Settings } from '../../settings/settings.js';
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
import { RuleTests } from './rule-tests.js';
import { FeedReader } from '../../feed/feed-reader.js';

/** Holds the connection that evaluates rules: records never wait for it. */
class AlertDatabase extends Database {}
/** Injects the subnets of sites. */
const SITES = Symbol('sites');

/** Rules of operators about calls and feeds, and the alerts that they raise. */
@Module({
  imports: [ContextModule, StoreModule, FeedModule, ApiModule],
  controllers: [AlertRulesController, AlertsController, AlertReceiversController],
  providers: [
    {
      provide: AlertDatabase,
      inject: [SETTINGS, LOGGER],
      useFactory: ({ databaseUrl: url }: Settings, logger: Logger) => new AlertDatabase({ url, poolSize: 1, logger }),
    },
    { provide: SITES, inject: [SETTINGS], useFactory: ({ sites }: Settings) => sites },
    { provide: AlertRules, inject: [Database], useFactory: (database: Database) => new AlertRules(database) },
    { provide: Alerts, inject: [Database], useFactory: (database: Database) => new Alerts(database) },
    { provide: AlertNotices, inject: [Database], useFactory: (database: Database) => new AlertNotices(database) },
    {
      provide: AlertReceivers,
      inject: [SETTINGS],
      useFactory: ({ alertReceivers }: Settings) => new AlertReceivers(alertReceivers),
    },
    {
      provide: RuleTests,
      inject: [AlertReceivers, AlertRuleViews, AlertLinks],
      useFactory: (...[receivers, views, links]: ConstructorParameters<typeof RuleTests>) =>
        new RuleTests(receivers, views, links),
    },
    provideClass(NoticeDeliverer, {
      notices: AlertNotices,
      receivers: AlertReceivers,
      metrics: AlertMetrics,
      logger: LOGGER,
    }),
    {
      provide: FileRules,
      inject: [SETTINGS, AlertRules, CallFilters, AlertReceivers, LOGGER],
      useFactory: (
        { alertRulesFile: file }: Settings,
        rules: AlertRules,
        filters: CallFilters,
        receivers: AlertReceivers,
        logger: Logger,
      ) => new FileRules({ file, rules, filters, receivers, logger }),
    },
    provideClass(OpenAlertReminder, { notices: AlertNotices, receivers: AlertReceivers, logger: LOGGER }),
    { provide: AlertMetrics, inject: [Metrics], useFactory: (metrics: Metrics) => new AlertMetrics(metrics) },
    {
      provide: AlertRuleViews,
      inject: [IdentityHiding],
      useFactory: (hiding: IdentityHiding) => new AlertRuleViews(hiding),
    },
    {
      provide: AlertLinks,
      inject: [IdentityHiding, SETTINGS],
      useFactory: (hiding: IdentityHiding, { publicOrigins }: Settings) => new AlertLinks(hiding, publicOrigins.first),
    },
    {
      provide: AlertPreviews,
      inject: [Database, CallFilters, SETTINGS, IdentityHiding],
      useFactory: (database: Database, filters: CallFilters, { sites }: Settings, hiding: IdentityHiding) =>
        new AlertPreviews(database, filters, sites, hiding),
    },
    provideClass(AlertDecider, {
      database: AlertDatabase,
      rules: AlertRules,
      filters: CallFilters,
      sites: SITES,
      hiding: IdentityHiding,
      views: AlertRuleViews,
      links: AlertLinks,
      metrics: AlertMetrics,
      logger: LOGGER,
    }),
    {
      provide: AlertTasks,
      inject: [FileRules, AlertDecider, NoticeDeliverer, OpenAlertReminder, Alerts, FeedReader, SETTINGS, LOGGER],
      useFactory: (
        fileRules: FileRules,
        decider: AlertDecider,
        deliverer: NoticeDeliverer,
        reminder: OpenAlertReminder,
        alerts: Alerts,
        reader: FeedReader,
        { alertSeconds, historyDays }: Settings,
        logger: Logger,
      ) =>
        new AlertTasks({
          fileRules,
          decider,
          deliverer,
          reminder,
          alerts,
          reader,
          periodMs: alertSeconds * 1_000,
          historyDays,
          logger,
        }),
    },
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
