import type { CallTotal, LoadStatistics, MetricStatistics, StreamStatistics } from '@ringdown/answers/statistics';
import type { Dimension } from '@ringdown/call-catalogue/filters';
import { hasMark } from '@ringdown/identity-hiding';
import { rejectParameter } from '@ringdown/web-server/errors';
import { Controller, Get, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isoTime } from '../../calls/streams/report-source.js';
import { ClockWatch } from '../../feed/clock-watch.js';
import type { Buckets } from '../../store/statistics/buckets.js';
import { countedValue } from '../../store/statistics/dimensions.js';
import type { LoadCounts } from '../../store/statistics/load/load.js';
import { Statistics } from '../../store/statistics/statistics.js';
import { CallFilterQuery } from '../../search/query/call-filter-query.js';
import { OperatorFilters } from '../filters/operator-filters.js';
import { fromDatabase } from '../database-fault.js';
import { OperatorsOnly } from '../operator-guard.js';
import { NameSearches } from '../filters/name-searches.js';
import { ReportsReadLag } from '../read-lag.interceptor.js';
import {
  bucketsBefore,
  statisticsBuckets,
  withMinutes,
  CountQuery,
  LoadQuery,
  MetricQuery,
} from './statistics-query.js';

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
    const given = statisticsBuckets(filter, query.bucketSeconds, this.clocks.now());
    const buckets = query.from === undefined ? withMinutes(given) : given;
    const period = query.compare === undefined ? undefined : bucketsBefore(buckets);
    const only = this.wantedValues(query, request);
    const { by, limit } = query;
    const question = { filter, by, limit, only };
    const counts = await fromDatabase(this.statistics.load({ ...question, buckets }));
    const now = { ...requestedTimeOf(buckets), by: by ?? null, ...this.shownLoad(counts, query, request) };
    if (period === undefined) return now;
    const also = counts.values.flatMap(({ value }) => value ?? []);
    const before = await fromDatabase(this.statistics.load({ ...question, buckets: period, also }));
    const { from, to } = requestedTimeOf(period);
    const { values, items } = this.shownLoad(before, query, request);
    return { ...now, before: { from, to, values, items } };
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

  private shown<C extends ByValue>(counts: C, by: Dimension | undefined, request: FastifyRequest): C {
    return { ...counts, items: this.shownValues(counts.items, by, request) };
  }

  /** Hidden values that were asked for are shown as they were written: as counted, they are in lower case. */
  private shownLoad(counts: LoadCounts, { by, values = [] }: LoadQuery, request: FastifyRequest): LoadCounts {
    const written = new Map(
      values.filter(hasMark).map((each) => [by === undefined ? each : countedValue(by, each), each]),
    );
    const asWritten = <T extends { readonly value: string | null }>(items: readonly T[]): readonly T[] =>
      this.shownValues(items, by, request).map((item) => ({
        ...item,
        value: written.get(item.value ?? '') ?? item.value,
      }));
    return { ...counts, values: asWritten(counts.values), items: asWritten(counts.items) };
  }

  /** Senders choose the texts of these values; sites and subnets are our own. */
  private shownValues<T extends { readonly value: string | null }>(
    items: readonly T[],
    by: Dimension | undefined,
    request: FastifyRequest,
  ): readonly T[] {
    if (by === undefined || by === 'site' || by === 'subnet') return items;
    return items.map((item) => {
      return item.value === null ? item : { ...item, value: this.nameSearches.shown(request, by, item.value) };
    });
  }

  /** As they are counted. Throws an {@link InterfaceError} when the operator may not search for them. */
  private wantedValues({ by, values }: LoadQuery, request: FastifyRequest): readonly string[] | undefined {
    if (values === undefined) return undefined;
    if (by === undefined) rejectParameter('values', 'values need by: what they are values of', 'conflict');
    this.nameSearches.admit(request, { [by]: values });
    return values.map((value) => countedValue(by, value));
  }
}

function requestedTimeOf({ from, to, seconds }: Buckets): RequestedTime {
  return { from: isoTime(from.getTime()), to: isoTime(to.getTime()), bucketSeconds: seconds };
}
