import type { CallTotal, LoadStatistics, MetricStatistics, StreamStatistics } from '@ringdown/answers/statistics';
import type { Dimension } from '@ringdown/call-catalogue/filters';
import { Controller, Get, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isoTime } from '../calls/streams/report-source.js';
import { ClockWatch } from '../feed/clock-watch.js';
import type { Buckets } from '../store/statistics/buckets.js';
import { Statistics } from '../store/statistics/statistics.js';
import { CallFilterQuery } from '../search/query/call-filter-query.js';
import { OperatorFilters } from './filters/operator-filters.js';
import { fromDatabase } from './database-fault.js';
import { OperatorsOnly } from './operator-guard.js';
import { NameSearches } from './filters/name-searches.js';
import { ReportsReadLag } from './read-lag.interceptor.js';
import { bucketsBefore, statisticsBuckets, CountQuery, LoadQuery, MetricQuery } from './statistics-query.js';

/** The request, with the defaults filled in. */
interface RequestedTime {
  readonly from: string;
  readonly to: string;
  readonly bucketSeconds: number;
}

interface ByValue {
  readonly items: readonly { readonly value: string | null }[];
}

/** The same for the period before, if it was requested. */
interface Compared<C extends { readonly items: unknown }> {
  readonly before?: { readonly from: string; readonly to: string; readonly items: C['items'] };
}

@Controller('api/statistics')
@OperatorsOnly()
@ReportsReadLag()
export class StatisticsController {
  constructor(
    private readonly statistics: Statistics,
    private readonly filters: OperatorFilters,
    private readonly nameSearches: NameSearches,
    private readonly clocks: ClockWatch,
  ) {}

  /** Of all time, without `from` and `to`. */
  @Get('total')
  total(@Query() query: CallFilterQuery, @Req() request: FastifyRequest): Promise<CallTotal> {
    return fromDatabase(this.statistics.total(this.filters.withoutUploads(query, request)));
  }

  @Get('streams')
  async streams(@Query() query: CountQuery, @Req() request: FastifyRequest): Promise<StreamStatistics> {
    const { by, limit, sort } = query;
    const filter = this.filters.withoutUploads(query, request);
    const buckets = statisticsBuckets(filter, query.bucketSeconds, this.clocks.now());
    const counts = await this.compared(query, buckets, request, (period, values) =>
      this.statistics.count({ filter, buckets: period, by, limit, sort, values }),
    );
    return { ...requestedTimeOf(buckets), by: by ?? null, ...counts };
  }

  @Get('metrics')
  async metrics(@Query() query: MetricQuery, @Req() request: FastifyRequest): Promise<MetricStatistics> {
    const { by, limit, metric } = query;
    const filter = this.filters.withoutUploads(query, request);
    const buckets = statisticsBuckets(filter, query.bucketSeconds, this.clocks.now());
    const counts = await this.compared(query, buckets, request, (period, values) =>
      this.statistics.metrics({ filter, buckets: period, by, limit, metric, values }),
    );
    return { ...requestedTimeOf(buckets), by: by ?? null, metric, ...counts };
  }

  @Get('load')
  async load(@Query() query: LoadQuery, @Req() request: FastifyRequest): Promise<LoadStatistics> {
    const filter = this.filters.withoutUploads(query, request);
    const buckets = statisticsBuckets(filter, query.bucketSeconds, this.clocks.now());
    const period = query.compare === undefined ? undefined : bucketsBefore(buckets);
    const now = { ...requestedTimeOf(buckets), items: await fromDatabase(this.statistics.load(filter, buckets)) };
    if (period === undefined) return now;
    const { from, to } = requestedTimeOf(period);
    return { ...now, before: { from, to, items: await fromDatabase(this.statistics.load(filter, period)) } };
  }

  /** The period before has the same values as this one, and its own first ones: some may have no calls now. */
  private async compared<C extends ByValue>(
    { by, compare }: Pick<CountQuery, 'by' | 'compare'>,
    buckets: Buckets,
    request: FastifyRequest,
    count: (period: Buckets, values?: readonly string[]) => Promise<C>,
  ): Promise<C & Compared<C>> {
    const period = compare === undefined ? undefined : bucketsBefore(buckets);
    const counts = await fromDatabase(count(buckets));
    const shown = this.shown(counts, by, request);
    if (period === undefined) return shown;
    const values = [...new Set(counts.items.flatMap(({ value }) => value ?? []))];
    const { items } = this.shown(await fromDatabase(count(period, values)), by, request);
    const { from, to } = requestedTimeOf(period);
    return { ...shown, before: { from, to, items } };
  }

  /** Senders choose the texts of these values; sites and subnets are our own. */
  private shown<C extends ByValue>(counts: C, by: Dimension | undefined, request: FastifyRequest): C {
    if (by === undefined || by === 'site' || by === 'subnet') return counts;
    const items = counts.items.map((item) => {
      return item.value === null ? item : { ...item, value: this.nameSearches.shown(request, by, item.value) };
    });
    return { ...counts, items };
  }
}

function requestedTimeOf({ from, to, seconds }: Buckets): RequestedTime {
  return { from: isoTime(from.getTime()), to: isoTime(to.getTime()), bucketSeconds: seconds };
}
