import { reasonOf } from '@ringdown/errors';
import { Bucket, type Bus } from '@ringdown/nats';
import type { Logger } from '@ringdown/observability';
import { createHash } from 'node:crypto';

/** A front end that was named in records. */
interface KnownFrontEnd {
  readonly name: string;
  /** Milliseconds since 1970; up to a day old. */
  readonly seenAt: number;
}

interface KnownFrontEndsOptions {
  readonly bus: Bus;
  readonly logger: Logger;
  /** Maximum number of front ends. */
  readonly most: number;
  /** The time in milliseconds since 1970. */
  readonly now?: () => number;
}

const DAY_MS = 86_400_000;
/** Names that were not used for so long may be replaced by others. */
const FORGOTTEN_AFTER_MS = 30 * DAY_MS;
const PRUNE_EVERY_MS = 60_000;
const BUCKET = { name: 'FRONT_ENDS', maxAgeMs: FORGOTTEN_AFTER_MS };

/**
 * The front ends that were named in records, the same for all collectors and over their restarts: made-up names in
 * anonymous input never displace front ends that were known before.
 */
export class KnownFrontEnds {
  /** When each was seen last, by lower-cased name. */
  private readonly seen = new Map<string, number>();
  private readonly now: () => number;
  private prunedAt = 0;
  private stopFollowing: (() => void) | undefined;

  private constructor(
    private readonly bucket: Bucket<KnownFrontEnd>,
    private readonly options: KnownFrontEndsOptions,
  ) {
    this.now = options.now ?? Date.now;
  }

  static async open(options: KnownFrontEndsOptions): Promise<KnownFrontEnds> {
    const { bus } = options;
    const bucket = await Bucket.open({ bus, ...BUCKET, parse: parseKnown, role: 'user' });
    const known = new KnownFrontEnds(bucket, options);
    for (const { value } of (await bucket.entries()).values()) known.remember(value);
    return known;
  }

  /** Updates the limits of the bucket: collectors accept anonymous input and may not change them (ADR 0039). */
  static ensureBucket(bus: Bus): Promise<void> {
    return Bucket.ensure({ bus, ...BUCKET });
  }

  /** Watches for front ends that other collectors see first, until it is closed. */
  follow(): void {
    this.stopFollowing = this.bucket.follow(this.options.logger, (_key, value) => {
      if (value !== undefined) this.remember(value);
    });
  }

  close(): void {
    this.stopFollowing?.();
  }

  get size(): number {
    return this.seen.size;
  }

  /** False for a new name when the maximum is reached. */
  admit(name: string): boolean {
    const key = name.toLowerCase();
    const seenAt = this.seen.get(key);
    const now = this.now();
    if (seenAt === undefined && !this.hasRoom(now)) return false;
    if (seenAt === undefined || now - seenAt > DAY_MS) {
      this.seen.set(key, now);
      void this.write({ name, seenAt: now });
    }
    return true;
  }

  private hasRoom(now: number): boolean {
    if (this.seen.size >= this.options.most && now - this.prunedAt > PRUNE_EVERY_MS) {
      this.prunedAt = now;
      for (const [key, seenAt] of this.seen) if (now - seenAt > FORGOTTEN_AFTER_MS) this.seen.delete(key);
    }
    return this.seen.size < this.options.most;
  }

  private remember({ name, seenAt }: KnownFrontEnd): void {
    const key = name.toLowerCase();
    this.seen.set(key, Math.max(seenAt, this.seen.get(key) ?? 0));
  }

  /** Never rejects: the next record with this name tries again. */
  private async write(known: KnownFrontEnd): Promise<void> {
    try {
      await this.bucket.put(keyOf(known.name), known);
    } catch (error) {
      this.seen.set(known.name.toLowerCase(), 0);
      this.options.logger.debug({ reason: reasonOf(error) }, 'the name of a front end could not be stored');
    }
  }
}

/** Hashed, because a name may contain characters that are not allowed in a key. */
function keyOf(name: string): string {
  return createHash('sha256').update(name.toLowerCase()).digest('hex');
}

function parseKnown(value: unknown): KnownFrontEnd {
  const { name, seenAt }: Partial<Record<string, unknown>> = { ...Object(value) };
  if (typeof name !== 'string' || typeof seenAt !== 'number') throw new Error('unknown format of a front end');
  return { name, seenAt };
}
