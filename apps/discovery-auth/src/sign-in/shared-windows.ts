import { countEvent, RateLimit, type WindowCount } from '@ringdown/concurrency';
import type { BucketName } from '@ringdown/contracts/bucket-limits';
import { BusFull, type Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import { createHash } from 'node:crypto';

interface WindowOptions {
  /** The maximum of events in one window. */
  readonly limit: number;
  readonly windowMs: number;
  /** The current time in milliseconds since 1970. */
  readonly now?: () => number;
}

export interface SharedWindowOptions extends WindowOptions {
  readonly bus: Bus;
  readonly bucket: BucketName;
}

/** What is counted of one key. */
export interface CountedEvents {
  readonly isClear: boolean;
  /** How long to wait when the limit is reached, milliseconds. */
  readonly waitMs: number | undefined;
}

/**
 * Counts events in windows that begin with the first event; in the store of the bus, so that all replicas count
 * together. While the store is full, which someone may do on purpose, each replica counts new keys alone.
 */
export class SharedWindows {
  private readonly now: () => number;
  /** Events for which the store had no room. */
  private readonly unstored: RateLimit;

  private constructor(
    private readonly options: WindowOptions,
    private readonly bucket: Bucket<WindowCount>,
  ) {
    this.now = options.now ?? Date.now;
    this.unstored = new RateLimit({ ...options, now: this.now });
  }

  static async open(options: SharedWindowOptions): Promise<SharedWindows> {
    const { bus, bucket: name, windowMs: maxAgeMs } = options;
    return new SharedWindows(options, await Bucket.open({ bus, name, maxAgeMs, parse: parseCount }));
  }

  /** Counts nothing. */
  async check(key: string): Promise<CountedEvents> {
    const current = await this.bucket.get(hashedKey(key));
    const isClear = current === undefined && !this.unstored.has(key);
    return { isClear, waitMs: this.waitFor(current?.value) ?? inMilliseconds(this.unstored.check(key)) };
  }

  /**
   * Counts one event, even when several replicas do so at the same time; when the limit is reached, returns how long to
   * wait.
   */
  async add(key: string): Promise<number | undefined> {
    try {
      return await this.addToStore(key);
    } catch (error) {
      if (!(error instanceof BusFull)) throw error;
      return inMilliseconds(this.unstored.add(key));
    }
  }

  private async addToStore(key: string): Promise<number | undefined> {
    for (;;) {
      const current = await this.bucket.getNewest(hashedKey(key));
      const waitMs = this.waitFor(current?.value);
      if (waitMs !== undefined) return waitMs;
      const next = countEvent(current?.value, this.options.windowMs, this.now());
      const written =
        current === undefined
          ? await this.bucket.create(hashedKey(key), next)
          : await this.bucket.update(hashedKey(key), next, current.revision);
      if (written) return undefined;
    }
  }

  async forget(key: string): Promise<void> {
    this.unstored.forget(key);
    // Erased: a marker of the deletion would need room, which a full store does not have.
    await this.bucket.erase(hashedKey(key));
  }

  /** Milliseconds until the next window when the limit is reached. */
  private waitFor(current: WindowCount | undefined): number | undefined {
    if (current === undefined || current.count < this.options.limit) return undefined;
    const left = current.since + this.options.windowMs - this.now();
    return left > 0 ? left : undefined;
  }
}

function inMilliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1_000;
}

/** Hashed: names may contain characters that a key may not, and should not be visible in the store. */
function hashedKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function parseCount(value: unknown): WindowCount {
  const { count, since } = Object(value);
  if (typeof count === 'number' && typeof since === 'number') return { count, since };
  throw new Error('a stored count has an unknown format');
}
