import { errorReason } from '@ringdown/errors';
import type { Bus } from '@ringdown/nats';
import { Bucket, EntryWriter } from '@ringdown/nats/buckets';
import { OutageLog, type Logger } from '@ringdown/observability';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

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
/** As long, made-up names may exceed the maximum with each further collector. */
const FOLLOW_MS = 2_000;
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
  private readonly ended = new AbortController();
  private following: Promise<void> | undefined;
  private readonly writer: EntryWriter<KnownFrontEnd>;
  private bucket: Bucket<KnownFrontEnd> | undefined;
  /** Up to which revision of the bucket they are known. */
  private revision = 0;

  private constructor(private readonly options: KnownFrontEndsOptions) {
    this.now = options.now ?? Date.now;
    this.writer = new EntryWriter(options.bus, BUCKET.name);
  }

  /** If the aggregator has not made the bucket yet, it is read later. */
  static async open(options: KnownFrontEndsOptions): Promise<KnownFrontEnds> {
    const known = new KnownFrontEnds(options);
    await known.read().catch((error: unknown) => {
      options.logger.info({ reason: errorReason(error) }, 'the known front ends cannot be read yet');
    });
    return known;
  }

  /** Creates the bucket or updates its limits: collectors accept anonymous input and may not. */
  static ensureBucket(bus: Bus): Promise<void> {
    return Bucket.ensure({ bus, ...BUCKET });
  }

  /** Asks again and again for front ends that other collectors have seen first, until it is closed. */
  follow(): void {
    const outage = new OutageLog({
      logger: this.options.logger,
      failure: 'the known front ends cannot be read; retrying',
      recovery: 'the known front ends are read again',
    });
    this.following = (async (): Promise<void> => {
      const { signal } = this.ended;
      while (!signal.aborted) {
        await sleep(FOLLOW_MS, undefined, { signal, ref: false }).catch(() => undefined);
        if (signal.aborted) return;
        await this.read().then(
          () => outage.succeeded(0),
          (error: unknown) => outage.failed(0, errorReason(error)),
        );
      }
    })();
  }

  async close(): Promise<void> {
    this.ended.abort();
    await this.following;
  }

  get size(): number {
    this.prune(this.now());
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
    if (this.seen.size >= this.options.most) this.prune(now);
    return this.seen.size < this.options.most;
  }

  private prune(now: number): void {
    if (now - this.prunedAt <= PRUNE_EVERY_MS) return;
    this.prunedAt = now;
    for (const [key, seenAt] of this.seen) if (now - seenAt > FORGOTTEN_AFTER_MS) this.seen.delete(key);
  }

  private remember({ name, seenAt }: KnownFrontEnd): void {
    const key = name.toLowerCase();
    // A time in the future would keep it for ever.
    this.seen.set(key, Math.max(Math.min(seenAt, this.now()), this.seen.get(key) ?? 0));
  }

  /** What was written since the last time; everything at first, and after the bus has lost what was read. */
  private async read(): Promise<void> {
    const { bus } = this.options;
    bus.assertConnected();
    this.bucket ??= await Bucket.open({ bus, ...BUCKET, parse: parseKnown, role: 'user' });
    const newest = await this.bucket.lastRevision();
    if (newest < this.revision) this.revision = 0;
    if (this.revision === 0) {
      for (const { value } of (await this.bucket.entries()).values()) this.remember(value);
      this.revision = newest;
    } else {
      // A server that lags behind returns the newest ones next time.
      for await (const { value, revision } of this.bucket.writtenAfter(this.revision)) {
        if (value !== undefined) this.remember(value);
        this.revision = revision;
      }
    }
  }

  /** Never rejects: the next record with this name tries again. */
  private async write(known: KnownFrontEnd): Promise<void> {
    try {
      await this.writer.put(knownFrontEndKey(known.name), known);
    } catch (error) {
      this.seen.set(known.name.toLowerCase(), 0);
      this.options.logger.debug({ reason: errorReason(error) }, 'the name of a front end could not be stored');
    }
  }
}

/** Hashed, because a name may contain characters that are not allowed in a key. */
function knownFrontEndKey(name: string): string {
  return createHash('sha256').update(name.toLowerCase()).digest('hex');
}

/** Collectors trust each other no more than they must: an entry names the front end that its key is of. */
function parseKnown(value: unknown, key: string): KnownFrontEnd {
  const { name, seenAt }: Partial<Record<string, unknown>> = { ...Object(value) };
  if (typeof name !== 'string' || typeof seenAt !== 'number') throw new Error('unknown format of a front end');
  if (knownFrontEndKey(name) !== key) throw new Error('the entry names the front end of another key');
  return { name, seenAt };
}
