import { Module, type DynamicModule, type OnApplicationShutdown, type OnModuleDestroy } from '@nestjs/common';
import { RejectedRecords } from '@ringdown/bus';
import { TokenGuard, TokenValidator } from '@ringdown/token-validation';
import { CallFilters } from './api/call-filter-query.js';
import { CallerController } from './api/caller.controller.js';
import { CallExport } from './api/call-export.js';
import { CallsController } from './api/calls.controller.js';
import { ExportsController } from './api/exports.controller.js';
import { FrontEndsController } from './api/front-ends.controller.js';
import { IdentityViews } from './api/identities.js';
import { LiveStream } from './api/live-stream.js';
import { RejectedRecordsController } from './api/rejected-records.controller.js';
import { ServicesController } from './api/services.controller.js';
import { StatisticsController } from './api/statistics.controller.js';
import { AnswersOfCollectors } from './feed/collector-answers.js';
import { FeedReader } from './feed/feed-reader.js';
import { Refusals } from './feed/refusals.js';
import { RunningServices } from './feed/running-services.js';
import { LiveCalls } from './live/live-calls.js';
import { CallCourseQueries } from './store/call-course-queries.js';
import { CallQueries } from './store/call-queries.js';
import { FrontEndQueries } from './store/front-ends.js';
import { Statistics } from './store/statistics.js';
import { Database } from './store/database.js';

/** What the module serves with; made by {@link openAggregator}. */
export interface AggregatorParts {
  readonly database: Database;
  readonly queries: CallQueries;
  readonly courses: CallCourseQueries;
  readonly exports: CallExport;
  readonly filters: CallFilters;
  readonly identities: IdentityViews;
  readonly frontEnds: FrontEndQueries;
  readonly statistics: Statistics;
  readonly feedReader: FeedReader;
  readonly liveCalls: LiveCalls;
  readonly liveStream: LiveStream;
  readonly rejected: RejectedRecords;
  readonly answers: AnswersOfCollectors;
  readonly running: RunningServices;
  readonly stopAnswering: () => void;
  readonly guard: TokenGuard;
  readonly validator: TokenValidator;
}

const PARTS = Symbol('aggregator parts');

@Module({})
export class AggregatorModule {
  static register(parts: AggregatorParts): DynamicModule {
    return {
      module: AggregatorModule,
      controllers: [
        CallerController,
        CallsController,
        FrontEndsController,
        RejectedRecordsController,
        ServicesController,
        StatisticsController,
        ExportsController,
      ],
      providers: [
        { provide: CallQueries, useValue: parts.queries },
        { provide: CallCourseQueries, useValue: parts.courses },
        { provide: Statistics, useValue: parts.statistics },
        { provide: CallExport, useValue: parts.exports },
        { provide: CallFilters, useValue: parts.filters },
        { provide: IdentityViews, useValue: parts.identities },
        { provide: FrontEndQueries, useValue: parts.frontEnds },
        { provide: Refusals, useValue: new Refusals(parts.rejected) },
        { provide: LiveStream, useValue: parts.liveStream },
        { provide: RejectedRecords, useValue: parts.rejected },
        { provide: AnswersOfCollectors, useValue: parts.answers },
        { provide: RunningServices, useValue: parts.running },
        { provide: TokenGuard, useValue: parts.guard },
        { provide: PARTS, useFactory: () => new Shutdown(parts) },
      ],
    };
  }
}

/** In order: live streams and exports would hold the listener open; then the feed; what answers requests goes last. */
class Shutdown implements OnModuleDestroy, OnApplicationShutdown {
  constructor(private readonly parts: AggregatorParts) {}

  async onModuleDestroy(): Promise<void> {
    const closed = this.parts.liveCalls.close();
    this.parts.exports.close();
    this.parts.stopAnswering();
    await Promise.all([closed, this.parts.feedReader.stop()]);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.parts.validator.close();
    await this.parts.database.close();
  }
}
