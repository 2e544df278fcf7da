import { isoTime } from '../../calls/streams/report-source.js';

/** The time in [from, to), split into buckets. */
export interface Buckets {
  readonly from: Date;
  readonly to: Date;
  /** Length of a bucket; the last one may be shorter. */
  readonly seconds: number;
}

/** When the bucket begins. */
export function bucketTime({ from, seconds }: Buckets, bucket: number): string {
  return isoTime(from.getTime() + bucket * seconds * 1_000);
}
