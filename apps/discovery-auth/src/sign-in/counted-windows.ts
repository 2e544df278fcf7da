import type { BucketName } from '@ringdown/contracts/bucket-limits';
import type { Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import { createHash } from 'node:crypto';

/** The number of events since the window began. */
export interface WindowCount {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export interface WindowOptions {
  /** The maximum of events in one window. */
  readonly limit: number;
  readonly windowMs: number;
  /** The current time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** Keys that are counted in memory; those without events for the longest time are forgotten first. */
const MAX_KEYS = 50_000;

/** Counts events in windows that begin with the first event; in the memory of this process. */
export class LocalWindows {
  /** In the order of their last event. */
  private readonly counts = new Map<string, WindowCount>();
  private readonly now: () => number;

  constructor(private readonly options: WindowOptions) {
    this.now = options.now ?? Date.now;
  }

  /**
   * Counts one event; returns the milliseconds until the next window when it exceeds the limit, otherwise undefined.
   */
  add(key: string): number | undefined {
    const next = nextCount(this.counts.get(key), this.options.windowMs, this.now());
    this.counts.delete(key);
    this.counts.set(key, next);
    const [leastRecent] = this.counts.keys();
    if (leastRecent !== undefined && this.counts.size > MAX_KEYS) this.counts.delete(leastRecent);
    return next.count > this.options.limit ? next.since + this.options.windowMs - this.now() : undefined;
  }
}

export interface SharedWindowOptions extends WindowOptions {
  readonly bus: Bus;
  readonly bucket: BucketName;
}

/**
 * Counts events in windows that begin with the first event; in the store of the bus, so that all replicas count
 * together.
 */
export class SharedWindows {
  private readonly now: () => number;

  private constructor(
    private readonly options: WindowOptions,
    private readonly bucket: Bucket<WindowCount>,
  ) {
    this.now = options.now ?? Date.now;
  }

  static async open(options: SharedWindowOptions): Promise<SharedWindows> {
    const { bus, bucket: name, windowMs: maxAgeMs } = options;
    return new SharedWindows(options, await Bucket.open({ bus, name, maxAgeMs, parse: parseCount }));
  }

  /** Counts nothing; returns whether there are counted events, and how long to wait when the limit is reached. */
  async check(key: string): Promise<{ readonly isClear: boolean; readonly waitMs?: number | undefined }> {
    const current = (await this.bucket.get(hashedKey(key)))?.value;
    return { isClear: current === undefined, waitMs: this.waitFor(current) };
  }

  /**
   * Counts one event, even when several replicas do so at the same time; when the limit is reached, returns how long to
   * wait.
   */
  async add(key: string): Promise<number | undefined> {
    for (;;) {
      const current = await this.bucket.getNewest(hashedKey(key));
      const waitMs = this.waitFor(current?.value);
      if (waitMs !== undefined) return waitMs;
      const next = nextCount(current?.value, this.options.windowMs, this.now());
      const written =
        current === undefined
          ? await this.bucket.create(hashedKey(key), next)
          : await this.bucket.update(hashedKey(key), next, current.revision);
      if (written) return undefined;
    }
  }

  async forget(key: string): Promise<void> {
    await this.bucket.delete(hashedKey(key));
  }

  /** Milliseconds until the next window when the limit is reached. */
  private waitFor(current: WindowCount | undefined): number | undefined {
    if (current === undefined || current.count < this.options.limit) return undefined;
    const left = current.since + this.options.windowMs - this.now();
    return left > 0 ? left : undefined;
  }
}

/** Hashed: names may contain characters that a key may not, and should not be visible in the store. */
function hashedKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function nextCount(current: WindowCount | undefined, windowMs: number, now: number): WindowCount {
  if (current === undefined || now >= current.since + windowMs) return { count: 1, since: now };
  return { count: current.count + 1, since: current.since };
}

function parseCount(value: unknown): WindowCount {
  const { count, since } = Object(value);
  if (typeof count === 'number' && typeof since === 'number') return { count, since };
  throw new Error('a stored count has an unknown format');
}
