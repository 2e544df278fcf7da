import { JetStreamApiError } from '@nats-io/jetstream';
import { RateLimitedLog, type Logger } from '@ringdown/observability';
import { BusFull } from '../bus-full.js';

/** The maximum size of each bucket in bytes. */
export interface BucketSizeLimits {
  maxBytesOf(name: string): number;
  /** The setting that raises the limits, for the error of a full bucket. */
  readonly setting: string;
}

/** The error code of a server whose stream has reached its limit in bytes. */
const STORE_FAILED = 10_077;
const FULL = 'maximum bytes exceeded';

/** The size limits of the buckets, and the writes that full buckets have rejected. */
export class BucketSizes {
  private readonly logs = new Map<string, RateLimitedLog>();

  constructor(
    private readonly logger: Logger,
    private readonly limits: BucketSizeLimits | undefined,
    private readonly onFull: (bucket: string) => void,
  ) {}

  /** Undefined without limits. */
  maxBytesOf(bucket: string): number | undefined {
    return this.limits?.maxBytesOf(bucket);
  }

  /**
   * The error to throw for a failed write: {@link BusFull} if the bucket has reached its limit, which is logged and
   * counted.
   */
  writeError(bucket: string, error: unknown): unknown {
    if (!(error instanceof JetStreamApiError && error.code === STORE_FAILED && error.message === FULL)) return error;
    this.onFull(bucket);
    const log = this.logs.get(bucket) ?? new RateLimitedLog();
    this.logs.set(bucket, log);
    log.log((leftOut) => this.logger.error({ bucket, leftOut }, 'a bucket is full and rejects new entries'));
    return new BusFull(bucket, this.limits?.setting, error);
  }
}
