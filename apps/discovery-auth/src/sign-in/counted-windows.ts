import type { BucketName } from '@ringdown/contracts';
import { Bucket, type Bus } from '@ringdown/nats';
import { createHash } from 'node:crypto';

/** How often something happened since a moment. */
export interface Count {
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export interface WindowOptions {
  /** How often it may happen in one window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Tells the time in milliseconds since 1970. */
  readonly now?: () => number;
}

/** Things that are told apart in memory; the ones that have been quiet for longest are forgotten first. */
const MAX_KEYS = 50_000;

/** Counts in windows that begin with the first event; in the memory of this process. */
export class LocalWindows {
  /** In the order of their last event. */
  private readonly counts = new Map<string, Count>();
  private readonly now: () => number;

  constructor(private readonly options: WindowOptions) {
    this.now = options.now ?? Date.now;
  }

  /** Counts one more; the milliseconds until the next window when that is one too many, else undefined. */
  add(key: string): number | undefined {
    const next = nextCount(this.counts.get(key), this.options.windowMs, this.now());
    this.counts.delete(key);
    this.counts.set(key, next);
    const [quietest] = this.counts.keys();
    if (quietest !== undefined && this.counts.size > MAX_KEYS) this.counts.delete(quietest);
    return next.count > this.options.limit ? next.since + this.options.windowMs - this.now() : undefined;
  }
}

export interface SharedWindowOptions extends WindowOptions {
  readonly bus: Bus;
  readonly bucket: BucketName;
}

/** Counts in windows that begin with the first event; in the bus' store, so that all replicas count together. */
export class SharedWindows {
  private readonly now: () => number;

  private constructor(
    private readonly options: WindowOptions,
    private readonly bucket: Bucket<Count>,
  ) {
    this.now = options.now ?? Date.now;
  }

  static async open(options: SharedWindowOptions): Promise<SharedWindows> {
    const { bus, bucket: name, windowMs: maxAgeMs } = options;
    return new SharedWindows(options, await Bucket.open({ bus, name, maxAgeMs, parse: parseCount }));
  }

  /** Counts nothing; tells whether anything has been counted, and how long to wait when the limit is reached. */
  async look(key: string): Promise<{ readonly isClear: boolean; readonly waitMs?: number | undefined }> {
    const known = (await this.bucket.get(keyOf(key)))?.value;
    return { isClear: known === undefined, waitMs: this.waitFor(known) };
  }

  /** Counts one more, however many replicas do so at the same time, unless the limit is reached: then how long to wait. */
  async add(key: string): Promise<number | undefined> {
    for (;;) {
      const known = await this.bucket.get(keyOf(key));
      const waitMs = this.waitFor(known?.value);
      if (waitMs !== undefined) return waitMs;
      const next = nextCount(known?.value, this.options.windowMs, this.now());
      const won =
        known === undefined
          ? await this.bucket.create(keyOf(key), next)
          : await this.bucket.update(keyOf(key), next, known.revision);
      if (won) return undefined;
    }
  }

  async forget(key: string): Promise<void> {
    await this.bucket.delete(keyOf(key));
  }

  /** Milliseconds until the next window when the limit is reached. */
  private waitFor(known: Count | undefined): number | undefined {
    if (known === undefined || known.count < this.options.limit) return undefined;
    const left = known.since + this.options.windowMs - this.now();
    return left > 0 ? left : undefined;
  }
}

/** Hashed: keys may not hold everything that somebody types as a name, and names are nobody else's business. */
function keyOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function nextCount(known: Count | undefined, windowMs: number, now: number): Count {
  if (known === undefined || now >= known.since + windowMs) return { count: 1, since: now };
  return { count: known.count + 1, since: known.since };
}

function parseCount(value: unknown): Count {
  const { count, since } = Object(value);
  if (typeof count === 'number' && typeof since === 'number') return { count, since };
  throw new Error('a stored count has another form than this version writes');
}
