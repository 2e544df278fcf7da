import type { Logger } from '@ringdown/observability';
import type { Bucket, Entry } from './bucket.js';

export interface KeptEntriesOptions<T> {
  readonly bucket: Pick<Bucket<T>, 'get' | 'onChange'>;
  readonly logger: Logger;
  /** Tells the time in milliseconds; it never goes back. */
  readonly now?: () => number;
}

interface Reading<T> {
  readonly entry: Promise<Entry<T> | undefined>;
  readonly until: number;
}

/**
 * How long an entry is believed that nobody has said anything about. A change is heard of as soon as the bus can tell,
 * and seen within this time even by those whom it cannot.
 */
const KEPT_MS = 5_000;
const MAX_KEPT = 10_000;

/**
 * Entries of a bucket that are asked for again and again: read once, and again after somebody, here or on another replica,
 * has written them. For what may be a moment old; {@link Bucket.get} is exact.
 */
export class KeptEntries<T> {
  private readonly readings = new Map<string, Reading<T>>();
  private readonly bucket: Pick<Bucket<T>, 'get' | 'onChange'>;
  private readonly now: () => number;
  private readonly stopFollowing: () => void;

  constructor({ bucket, logger, now = () => performance.now() }: KeptEntriesOptions<T>) {
    this.bucket = bucket;
    this.now = now;
    this.stopFollowing = bucket.onChange(logger, (key) => this.forget(key));
  }

  get(key: string): Promise<Entry<T> | undefined> {
    const kept = this.readings.get(key);
    if (kept !== undefined && this.now() < kept.until) return kept.entry;
    if (this.readings.size >= MAX_KEPT) this.readings.clear();
    // Kept from the beginning of the reading: a change that is heard of meanwhile ends what may be from before it.
    const reading = { entry: this.bucket.get(key), until: this.now() + KEPT_MS };
    this.readings.set(key, reading);
    void this.forgetIfNothing(key, reading);
    return reading.entry;
  }

  /** For a change of one's own, which nobody may have told of yet. */
  forget(key: string): void {
    this.readings.delete(key);
  }

  close(): void {
    this.stopFollowing();
  }

  /** An entry that is missing may come at any time, and one that could not be read is tried again. */
  private async forgetIfNothing(key: string, reading: Reading<T>): Promise<void> {
    // Whoever has asked gets to know of the failure.
    const entry = await reading.entry.catch(() => undefined);
    if (entry === undefined && this.readings.get(key) === reading) this.readings.delete(key);
  }
}
