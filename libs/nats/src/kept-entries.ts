import type { Logger } from '@ringdown/observability';
import type { Bucket, Entry } from './bucket.js';
import { KeptAnswers } from './kept-answers.js';

export interface KeptEntriesOptions<T> {
  readonly bucket: Pick<Bucket<T>, 'get' | 'onChange'>;
  readonly logger: Logger;
  /** Tells the time in milliseconds; it never goes back. */
  readonly now?: () => number;
}

/**
 * How long an entry is believed that nobody has said anything about. A change is heard of as soon as the bus can tell,
 * and seen within this time even by those whom it cannot.
 */
const KEPT_MS = 5_000;

/**
 * Entries of a bucket that are asked for again and again: read once, and again after somebody, here or on another replica,
 * has written them. For what may be a moment old; {@link Bucket.get} is exact.
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

  /** For a change of one's own, which nobody may have told of yet. */
  forget(key: string): void {
    this.answers.forget(key);
  }

  close(): void {
    this.stopFollowing();
  }
}
