import type { Dimension } from '@ringdown/call-catalogue/filters';
import { VERDICTS } from '@ringdown/quality';
import type { SiteTable } from '../../search/sites/site-table.js';
import { bucketTime, type Buckets } from './buckets.js';
import { Conditions, type CallFilter } from '../../search/filter/call-filter.js';
import { readCallTotal, type CallTotal } from '../calls/call-total.js';
import type { LoadCounts, LoadQuestion } from './load/load.js';
import { loadOf } from './load/load-question.js';
import type { Database } from '../database/database.js';
import { countedByCall, ranked, shownValues, valuesLeftOut } from './dimensions.js';
import { metricCounts, type MetricCounts, type MetricQuestion } from './metric-statistics.js';

/** Which values come first: those with the most streams, or with the most bad ones. */
export type CountSort = 'streams' | 'bad';

export const COUNT_SORTS: readonly CountSort[] = ['streams', 'bad'];

export interface CountQuestion {
  readonly filter: CallFilter;
  readonly buckets: Buckets;
  /** Undefined: everything together. */
  readonly by?: Dimension | undefined;
  /** The maximum number of values: the first ones by `sort`. */
  readonly limit: number;
  /** Shown too, also if they are not among the first. */
  readonly values?: readonly string[] | undefined;
  readonly sort: CountSort;
}

/** The counts of one value in one bucket. A call counts for every value that it has. */
export interface Count {
  /** When the bucket begins. */
  readonly at: string;
  /** Null when it is not known, and when everything is counted together. */
  readonly value: string | null;
  readonly calls: number;
  readonly failedCalls: number;
  readonly expiredCalls: number;
  readonly streams: number;
  readonly good: number;
  readonly poor: number;
  readonly bad: number;
  readonly unknown: number;
}

export interface Counts {
  /** By time, then by value; empty buckets are omitted. */
  readonly items: readonly Count[];
  readonly valuesLeftOut: number;
}

/** Of the streams of one call. */
const STREAM_COUNTS = [
  'count(verdict) as streams',
  ...VERDICTS.map((verdict) => `count(*) filter (where verdict = '${verdict}') as ${verdict}`),
].join(', ');

const SUMS = ['streams', ...VERDICTS].map((column) => `sum(${column})::integer as ${column}`).join(', ');

const ORDERS: Readonly<Record<CountSort, readonly string[]>> = {
  streams: ['streams', 'calls'],
  bad: ['bad', 'streams', 'calls'],
};

interface Row extends Omit<Count, 'at'> {
  readonly bucket: number;
  readonly values: number;
}

/** Counts calls and streams, directly from the matching calls. */
export class Statistics {
  constructor(
    private readonly database: Database,
    private readonly sites: Pick<SiteTable, 'subnets'>,
  ) {}

  async count({ filter, buckets, by, limit, values, sort }: CountQuestion): Promise<Counts> {
    const conditions = new Conditions({ ...filter, from: buckets.from, to: buckets.to });
    const sql = `
      with ${countedByCall(conditions, { buckets, by, sites: this.sites.subnets, columns: 'verdict text' }, STREAM_COUNTS)}, counted as (
        select bucket, value, count(*)::integer as calls, (count(*) filter (where state = 'failed'))::integer as "failedCalls",
          (count(*) filter (where state = 'expired'))::integer as "expiredCalls", ${SUMS}
        from of_calls group by bucket, value
      ), ${ranked(ORDERS[sort])}
      select bucket, value, calls, "failedCalls", "expiredCalls", streams, ${VERDICTS.join(', ')}, values
      from with_total where ${shownValues(conditions, limit, values)} order by bucket, value`;
    const { rows } = await this.database.readLagging((transaction) => transaction.query<Row>(sql, conditions.values));
    return {
      items: rows.map(({ bucket, values: _values, ...counts }) => ({ at: bucketTime(buckets, bucket), ...counts })),
      valuesLeftOut: valuesLeftOut(rows, limit),
    };
  }

  metrics(question: MetricQuestion): Promise<MetricCounts> {
    return metricCounts(this.database, this.sites.subnets, question);
  }

  total(filter: CallFilter): Promise<CallTotal> {
    return this.database.readLagging((transaction) => readCallTotal(transaction, filter));
  }

  load(question: LoadQuestion): Promise<LoadCounts> {
    return loadOf(this.database, this.sites.subnets, question);
  }
}
