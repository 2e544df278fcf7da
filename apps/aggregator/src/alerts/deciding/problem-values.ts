import { UPLOAD_FEEDS_LIKE } from '@ringdown/contracts/uploads';
import { bucketTime, type Buckets } from '../../store/statistics/buckets.js';
import type { Transaction } from '../../store/database/transaction.js';
import type { AlertDimension } from '@ringdown/call-catalogue/filters';
import type { CallValue } from './call-values.js';
import type { FeedChoice } from './feed-silence.js';
import type { CountMeasure } from './measures.js';

export interface ProblemQuestion {
  readonly measure: CountMeasure;
  readonly choice: FeedChoice;
  readonly buckets: Buckets;
  /** The input allows only `frontEnd` and `reason`. */
  readonly by: AlertDimension | null;
  /** Values that are counted too, also if they are not among the most frequent. */
  readonly also: readonly string[];
  readonly mostRows: number;
}

interface Row {
  readonly bucket: number;
  readonly value: string | null;
  readonly calls: number;
  readonly sum: number;
}

/** Where the problems of each measure are counted. */
const SOURCES: Readonly<Record<CountMeasure, { readonly rows: string; readonly number: string }>> = {
  failingRegistrations: { rows: `sip_failures where method = 'REGISTER' and`, number: 'failures' },
  rejectedRecords: { rows: 'rejections where', number: '1' },
};

/** The most frequent values; each may get an alert of its own. */
const MOST_SCOPES = 100;

/** Counts problems of feeds, by time, then by value; the rows after `mostRows` are left out. Empty buckets have none. */
export async function problemValues(
  transaction: Transaction,
  { measure, choice, buckets, by, also, mostRows }: ProblemQuestion,
): Promise<readonly CallValue[]> {
  const { rows: source, number } = SOURCES[measure];
  const { rows } = await transaction.query<Row>(
    `with chosen as (
       select floor(extract(epoch from at - $1::timestamptz) / $3::integer)::integer as bucket,
         ${problemDimensionColumn(by)} as value, ${number} as number
       from ${source} at >= $1 and at < $2 and ($4::text[] is null or feed_key = any($4)) and feed_key <> all($5)
         and feed_key not like '${UPLOAD_FEEDS_LIKE}'
     ), counted as (
       select bucket, value, sum(number)::float8 as sum from chosen group by bucket, value
     ), largest as (
       select value from counted group by value order by sum(sum) desc, value limit ${MOST_SCOPES}
     )
     select bucket, value, sum as calls, sum from counted
     where value is null or value in (select value from largest) or value = any($6)
     order by bucket, value limit ${mostRows}`,
    [buckets.from, buckets.to, buckets.seconds, choice.only, choice.without, also],
  );
  return rows.map(({ bucket, ...value }) => ({ bucketAt: Date.parse(bucketTime(buckets, bucket)), ...value }));
}

function problemDimensionColumn(by: AlertDimension | null): string {
  if (by === 'frontEnd') return 'feed_key';
  return by === 'reason' ? 'code' : 'null::text';
}
