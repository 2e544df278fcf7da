import type { Logger } from '@ringdown/observability';
import type { Bucket, Entry } from './bucket.js';
import { KeptAnswers } from './kept-answers.js';

export interface KeptEntriesOptions<T> {
  readonly bucket: Pick<Bucket<T>, 'get' | 'onChange'>;
  readonly logger: Logger;
  /** The time in milliseconds; it never decreases. */
  readonly now?: () => number;
}

/**
 * How long an entry is used without a reported change. A change takes effect as soon as the bus reports it, and within
 * this time for replicas that the bus cannot reach.
 */
const KEPT_MS = 5_000;

/**
 * Cache of entries of a bucket that are requested often: each is read once, and again after this or another replica has
 * written it. For values that may be a moment old; {@link Bucket.get} is exact.
 */
export class KeptEntries<T> {
  private readonly answers: KeptAnswers<Entry<T>>;
  private readonly stopFollowing: () => void;

  constructor({ bucket, logger, ...time }: KeptEntriesOptions<T>) {
    this.answers = new KeptAnswers({ ask: (key) => bucket.get(key), keptMs: KEPT_MS, ...time });
    this.stopFollowing = bucket.onChange(logger, (key) => this.forget(key));
  }

  get(key: string): Promise<Entry<T> | undefined> {
    return this.answers.get(key);
  }

  /** For a change by this process, which may not be reported yet. */
  forget(key: string): void {
    this.answers.forget(key);
  }

  close(): void {
    this.stopFollowing();
  }
}
