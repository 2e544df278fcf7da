import { Controller, Get, Query } from '@nestjs/common';
import { validated } from '@ringdown/http-server';
import { isoTime } from '../calls/report-source.js';
import { queryErrors } from '../errors.js';
import type { Buckets } from '../store/buckets.js';
import type { Load } from '../store/concurrency.js';
import type { StreamMetric } from '../calls/stream-metrics.js';
import type { Dimension } from '../store/dimensions.js';
import type { MetricCounts } from '../store/metric-statistics.js';
import { Statistics, type Counts } from '../store/statistics.js';
import { CallFilters } from './call-filter-query.js';
import { fromDatabase } from './database-fault.js';
import { OperatorsOnly } from './operator-guard.js';
import { bucketsOf, CountQuery, LoadQuery, MetricQuery } from './statistics-query.js';

/** What was asked, with the defaults that were taken. */
interface Asked {
  readonly from: string;
  readonly to: string;
  readonly bucketSeconds: number;
}

@Controller('api/statistics')
@OperatorsOnly()
export class StatisticsController {
  constructor(
    private readonly statistics: Statistics,
    private readonly filters: CallFilters,
  ) {}

  @Get('streams')
  async streams(@Query() query: unknown): Promise<Asked & { by: Dimension | null } & Counts> {
    const asked = validated(CountQuery, query, queryErrors.badParameter, { unknown: 'refuse' });
    const { by, limit, sort } = asked;
    const filter = this.filters.of(asked);
    const buckets = bucketsOf(asked);
    const counts = await fromDatabase(this.statistics.count({ filter, buckets, by, limit, sort }));
    return { ...askedOf(buckets), by: by ?? null, ...counts };
  }

  @Get('metrics')
  async metrics(
    @Query() query: unknown,
  ): Promise<Asked & { by: Dimension | null; metric: StreamMetric } & MetricCounts> {
    const asked = validated(MetricQuery, query, queryErrors.badParameter, { unknown: 'refuse' });
    const { by, limit, metric } = asked;
    const filter = this.filters.of(asked);
    const buckets = bucketsOf(asked);
    const counts = await fromDatabase(this.statistics.metrics({ filter, buckets, by, limit, metric }));
    return { ...askedOf(buckets), by: by ?? null, metric, ...counts };
  }

  @Get('load')
  async load(@Query() query: unknown): Promise<Asked & { items: readonly Load[] }> {
    const asked = validated(LoadQuery, query, queryErrors.badParameter, { unknown: 'refuse' });
    const filter = this.filters.of(asked);
    const buckets = bucketsOf(asked);
    return { ...askedOf(buckets), items: await fromDatabase(this.statistics.load(filter, buckets)) };
  }
}

function askedOf({ from, to, seconds }: Buckets): Asked {
  return { from: isoTime(from.getTime()), to: isoTime(to.getTime()), bucketSeconds: seconds };
}
