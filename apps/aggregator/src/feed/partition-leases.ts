import { errorReason } from '@ringdown/errors';
import type { Bus } from '@ringdown/nats';
import { Bucket, type Entry } from '@ringdown/nats/buckets';
import { OutageLog, type Logger } from '@ringdown/observability';
import { randomBytes } from 'node:crypto';
import { FixedDelayTask } from './fixed-delay-task.js';

const LEASE_MS = 5_400;
/** How many times a lease is renewed while it lasts. */
const RENEWALS = 3.6;

/** Once bundles are offered, the bus is asked in one of so many rounds whether they still are. */
const ROUNDS_AN_OFFER = 10;

/** Which replica reads a partition; null: none, it was released. */
interface Owner {
  readonly replica: string | null;
  /** Of a released one: its last changes may not have been published. Older versions do not read this. */
  readonly isUnpublished?: boolean;
}

export interface PartitionLeasesOptions {
  readonly bus: Bus;
  readonly logger: Logger;
  /** Into how many partitions the feed is divided now. */
  readonly partitions: () => number;
  /** Begins to read a partition. `handedOver`: the replica that read it before has ended that, and published everything. */
  onAcquire(partition: number, handedOver: boolean): void;
  /** Ends the reading; resolves when nothing more will be written, with whether all of it was published. */
  onRelease(partition: number): Promise<boolean>;
  /**
   * A replica without a sign of life for this long is gone; its partitions go to the others. The same in all replicas.
   */
  readonly leaseMs?: number | undefined;
  /** Called regularly: one of an older version takes the offer back when it starts (ADR 0086). */
  offerBundles(): Promise<void>;
}

/**
 * What a replica tells about itself. One that does not seal calls is of an older version and can no longer store anything
 * (ADR 0118): what it holds is free. To such a one, a replica that does not read bundles, or pack records, is gone.
 */
const ABILITIES = { readsBundles: true, packsRecords: true, sealsCalls: true };

/**
 * Distributes the partitions of the feed among the live replicas: none has more than its share, and each partition is
 * read by one. This is only for speed and order: two replicas that read one partition for a moment, after one was
 * suspended for longer than its lease, cannot count anything twice, because the position of a partition moves together
 * with what is stored.
 */
export class PartitionLeases {
  private readonly replica = randomBytes(6).toString('hex');
  private readonly held = new Set<number>();
  private readonly task: FixedDelayTask;
  private readonly leaseMs: number;
  private readonly offers: OutageLog;
  private roundsToOffer = 0;
  private known: { readonly revision: number; readonly entries: readonly (Entry<Owner> | undefined)[] } = {
    revision: -1,
    entries: [],
  };
  private buckets: { readonly replicas: Bucket<object>; readonly owners: Bucket<Owner> } | undefined;

  constructor(private readonly options: PartitionLeasesOptions) {
    this.leaseMs = options.leaseMs ?? LEASE_MS;
    const failure = 'partitions could not be shared among the replicas; trying again';
    const recovery = 'partitions are shared among the replicas again';
    const work = (): Promise<void> => this.rebalance();
    const periodMs = this.leaseMs / RENEWALS;
    this.task = new FixedDelayTask({ work, periodMs, logger: options.logger, failure, recovery });
    this.offers = new OutageLog({
      logger: options.logger,
      failure: 'bundles could not be offered to the collectors; trying again',
      recovery: 'bundles are offered to the collectors again',
    });
  }

  start(): void {
    this.task.start();
  }

  /** Releases everything, so that others need not wait for the leases to expire. */
  async stop(): Promise<void> {
    await this.task.stop();
    try {
      for (const partition of this.held) await this.release(partition);
      await this.buckets?.replicas.delete(this.replica);
    } catch (error) {
      this.options.logger.warn(
        { reason: errorReason(error) },
        'partitions could not be released; other replicas acquire them when the lease expires',
      );
    } finally {
      // It no longer matters whether they could be handed over.
      await Promise.allSettled([...this.held].map((partition) => this.end(partition)));
    }
  }

  private async rebalance(): Promise<void> {
    const { replicas, owners } = await this.open();
    await replicas.put(this.replica, ABILITIES);
    const entries = [...(await replicas.entries())];
    const current = entries.filter(([, entry]) => sealsCalls(entry));
    const alive = new Set([...current.map(([replica]) => replica), this.replica]);
    const partitions = this.options.partitions();
    const maxHeld = Math.ceil(partitions / alive.size);
    for (const [partition, entry] of (await this.entriesOf(owners, partitions)).entries()) {
      const owner = entry?.value.replica ?? null;
      if (owner === this.replica) await this.keepOrRelease(partition, maxHeld);
      else {
        if (this.held.has(partition)) await this.end(partition);
        const isFree = owner === null || !alive.has(owner);
        if (isFree && this.held.size < maxHeld) await this.tryAcquire(partition, entry);
      }
    }
    if (current.length < entries.length) this.roundsToOffer = 0;
    if (this.roundsToOffer > 0) this.roundsToOffer--;
    else await this.repeatOffer();
  }

  /** By partition; read again only when one of them was written, so that the bus is mostly asked one question and not one for each. */
  private async entriesOf(owners: Bucket<Owner>, partitions: number): Promise<readonly (Entry<Owner> | undefined)[]> {
    // First, so that what is written meanwhile is read in the next round.
    const revision = await owners.lastRevision();
    const { entries } = this.known;
    if (revision === this.known.revision && entries.length === partitions) return entries;
    const read: (Entry<Owner> | undefined)[] = [];
    for (let partition = 0; partition < partitions; partition++) read.push(await owners.getNewest(String(partition)));
    this.known = { revision, entries: read };
    return read;
  }

  /** The partitions are shared, also when this fails. */
  private async repeatOffer(): Promise<void> {
    try {
      await this.options.offerBundles();
      this.roundsToOffer = ROUNDS_AN_OFFER - 1;
      this.offers.succeeded('it');
    } catch (error) {
      this.offers.failed('it', errorReason(error));
    }
  }

  /** It may still be ours from before a stop that could not release it, or from a write whose reply was lost. */
  private async keepOrRelease(partition: number, maxHeld: number): Promise<void> {
    if (!this.held.has(partition)) this.begin(partition, false);
    if (this.held.size > maxHeld) await this.release(partition);
  }

  private async tryAcquire(partition: number, before: Entry<Owner> | undefined): Promise<void> {
    const { owners } = await this.open();
    const mine: Owner = { replica: this.replica };
    const key = String(partition);
    const isAcquired =
      before === undefined ? await owners.create(key, mine) : await owners.update(key, mine, before.revision);
    if (isAcquired) this.begin(partition, before?.value.replica === null && before.value.isUnpublished !== true);
  }

  private async release(partition: number): Promise<void> {
    const isPublished = await this.end(partition);
    const { owners } = await this.open();
    const entry = await owners.getNewest(String(partition));
    if (entry?.value.replica !== this.replica) return;
    // Otherwise it would be begun and ended in each round, and not be read, for as long as nothing can be published.
    const released: Owner = { replica: null, ...(isPublished ? {} : { isUnpublished: true }) };
    await owners.update(String(partition), released, entry.revision);
  }

  private begin(partition: number, handedOver: boolean): void {
    this.held.add(partition);
    this.options.logger.info({ partition, replica: this.replica }, 'reading a partition');
    this.options.onAcquire(partition, handedOver);
  }

  private async end(partition: number): Promise<boolean> {
    this.held.delete(partition);
    const isPublished = await this.options.onRelease(partition);
    this.options.logger.info({ partition, replica: this.replica }, 'no longer reading a partition');
    return isPublished;
  }

  private async open(): Promise<NonNullable<typeof this.buckets>> {
    const { bus } = this.options;
    this.buckets ??= {
      replicas: await Bucket.open({ bus, name: 'AGGREGATORS', maxAgeMs: this.leaseMs, parse: Object }),
      owners: await Bucket.open({ bus, name: 'PARTITION_OWNERS', maxAgeMs: 0, parse: parseLeaseOwner }),
    };
    return this.buckets;
  }
}

function sealsCalls({ value }: Entry<object>): boolean {
  return 'sealsCalls' in value && value.sealsCalls === true;
}

function parseLeaseOwner(value: unknown): Owner {
  const { replica, isUnpublished } = Object(value);
  if (replica !== null && typeof replica !== 'string')
    throw new Error('the owner of a partition has an unknown format');
  return { replica, isUnpublished: isUnpublished === true };
}
