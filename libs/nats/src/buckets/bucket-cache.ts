import { RefreshAheadCache } from '@ringdown/concurrency';
import type { Logger } from '@ringdown/observability';
import type { Bucket, Entry } from './bucket.js';

export interface BucketCacheOptions<T> {
  readonly bucket: Pick<Bucket<T>, 'get' | 'onChange'>;
  readonly logger: Logger;
  /** The keys that are requested from the cache. Default: all. */
  readonly filter?: string;
  /** The time in milliseconds; it never decreases. */
  readonly now?: () => number;
}

/**
 * How long an entry is used without a reported change. A change takes effect as soon as the bus reports it, and within
 * this time for replicas that the bus cannot reach.
 */
const MAX_AGE_MS = 5_000;

/**
 * Cache of entries of a bucket that are requested often: each is read once, and again after this or another replica has
 * written it. For values that may be a moment old; {@link Bucket.getNewest} is exact.
 */
export class BucketCache<T> {
  private readonly cache: RefreshAheadCache<Entry<T>>;
  private readonly stopFollowing: () => void;

  constructor({ bucket, logger, filter, ...time }: BucketCacheOptions<T>) {
    this.cache = new RefreshAheadCache({ load: (key) => bucket.get(key), maxAgeMs: MAX_AGE_MS, ...time });
    this.stopFollowing = bucket.onChange(logger, (key) => this.forget(key), filter);
  }

  get(key: string): Promise<Entry<T> | undefined> {
    return this.cache.get(key);
  }

  /** For a change by this process, which may not be reported yet. */
  forget(key: string): void {
    this.cache.forget(key);
  }

  close(): void {
    this.stopFollowing();
  }
}
