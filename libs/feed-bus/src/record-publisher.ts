import { partitionOfCall, PARTITIONS, type AcceptedRecords, type PublishedRecord } from '@ringdown/contracts/records';
import { errorReason } from '@ringdown/errors';
import { BusUnavailable, type Bus } from '@ringdown/nats';
import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { RecordJson } from './batch-bytes.js';
import type { BundleOffer } from './bundle-offer.js';
import { dequeueBatch, type BatchLimits } from './dequeue-batch.js';
import { Linger } from './linger.js';
import { PartWriter, type Part, type PublishObserver } from './part-writer.js';

export interface RecordPublisherOptions {
  readonly bus: Bus;
  /** How long one record may wait for its acknowledgement, milliseconds. */
  readonly deadlineMs?: number;
  /** Maximum of waiting records and of their bytes; more are rejected at once instead of filling the memory. */
  readonly maxWaiting?: number;
  readonly maxWaitingBytes?: number;
  readonly observer?: PublishObserver;
  /** Left out: each partition gets messages of its own. */
  readonly bundles?: BundleOffer;
}

interface Failure {
  /** One of those that failed. */
  readonly partition: number;
  readonly reason: string;
  /** Of all records that failed together: a disk that is full for it may have room for a smaller one. */
  readonly bytes: number;
}

interface Waiting extends RecordJson {
  readonly partition: number;
  readonly sender: object;
  /** By the clock of {@link Linger}, as the deadline. */
  readonly queuedAt: number;
  readonly deadline: number;
  resolve(): void;
  reject(error: Error): void;
}

/** Below the NATS limit of one megabyte per message, with room for the JSON around the records. */
const BATCH: BatchLimits = { items: 256, bytes: 512 * 1024 };
/** A health check has four seconds. */
const TRY_MS = 2_000;
/** A bus that is back within this time still stores the record. */
const NEARLY_OVER_MS = 1_000;
const SAME_TIME_MS = 250;
/** All records without one. */
const UNKNOWN_SENDER = {};
/** Fewer and larger messages cost the bus a third less for each record; waiting for more turns changes little. */
const BATCH_WINDOW_TURNS = 4;

/**
 * Stores records in JetStream. What has arrived since the last acknowledgement is under way at a time, in one message if
 * the aggregators read bundles, else in one for each partition; so the order inside a call is kept, and a busy collector
 * needs few acknowledgements.
 */
export class RecordPublisher {
  private readonly records: Waiting[] = [];
  private isBusy = false;
  private readonly collector = randomBytes(6).toString('hex');
  /** Messages and acknowledged records of each partition. */
  private readonly numbers = Array.from({ length: PARTITIONS }, () => 0);
  private readonly stored = Array.from({ length: PARTITIONS }, () => 0);
  private waiting = 0;
  /** The last failure to store records; undefined when as many bytes were stored since. */
  private failure: Failure | undefined;
  private maxSeenWaiting = 0;
  private waitingBytes = 0;
  private readonly linger = new Linger();
  private endLinger: (() => void) | undefined;
  private readonly writer: PartWriter<Waiting>;
  private readonly deadlineMs: number;
  private readonly maxWaiting: number;
  private readonly maxWaitingBytes: number;

  constructor(options: RecordPublisherOptions) {
    const { bus, bundles, observer } = options;
    const { deadlineMs = 5_000, maxWaiting = 10_000, maxWaitingBytes = 64 * 1024 * 1024 } = options;
    this.writer = new PartWriter({
      bus,
      bundles,
      observer,
      collector: this.collector,
      deadlineMs,
      onStored: (part) => this.acknowledged(part),
    });
    this.deadlineMs = deadlineMs;
    this.maxWaiting = maxWaiting;
    this.maxWaitingBytes = maxWaitingBytes;
  }

  /** The number of waiting records, now and at its highest. */
  get queue(): { readonly now: number; readonly longest: number } {
    return { now: this.waiting, longest: this.maxSeenWaiting };
  }

  get accepted(): AcceptedRecords {
    return { collector: this.collector, byPartition: [...this.stored] };
  }

  /**
   * Resolves when the record is stored. Rejects with {@link BusUnavailable} when no acknowledgement comes in time. `sender`: the
   * same for all records of one connection; only those of several may wait for each other.
   */
  publish(record: PublishedRecord, sender: object = UNKNOWN_SENDER): Promise<void> {
    if (this.waiting >= this.maxWaiting || this.waitingBytes >= this.maxWaitingBytes) {
      return Promise.reject(new BusUnavailable(`${this.waiting} records are already waiting for the message bus`));
    }
    const partition = partitionOfCall(record.record.connection.callId);
    const json = JSON.stringify(record);
    const bytes = Buffer.byteLength(json);
    this.waiting++;
    this.maxSeenWaiting = Math.max(this.maxSeenWaiting, this.waiting);
    this.waitingBytes += bytes;
    return new Promise<void>((resolve, reject) => {
      const queuedAt = performance.now();
      const deadline = queuedAt + this.deadlineMs;
      this.records.push({ partition, json, bytes, sender, queuedAt, deadline, resolve, reject });
      this.linger.add(sender, queuedAt);
      if (!this.isBusy) void this.drain();
      else if (this.endLinger !== undefined && this.lingersFor() === 0) this.endLinger();
    });
  }

  /**
   * A health check: rejects with the reason while records cannot be stored. When no front end tries it, because the collector is not ready,
   * it is tried with a message of that size without records.
   */
  async assertStores(): Promise<void> {
    const failed = this.failure;
    if (failed === undefined) return;
    if (!this.isBusy) await this.tryToStore(failed);
    if (this.failure !== undefined) throw new Error(`the message bus did not store records: ${this.failure.reason}`);
  }

  /** Resolves when no record is waiting any more. */
  async idle(): Promise<void> {
    while (this.waiting > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  private async drain(): Promise<void> {
    this.isBusy = true;
    while (this.records.length > 0) {
      await this.passBatchWindow();
      await this.waitForOthers();
      const batch = this.nextBatch();
      for (const { sender } of batch) this.linger.take(sender);
      const parts = [...Map.groupBy(batch, ({ partition }) => partition)].map(([partition, records]) => {
        return this.partOf(partition, records);
      });
      await this.storeAll(parts, Math.min(...batch.map(({ deadline }) => deadline)));
    }
    this.isBusy = false;
  }

  /** A message has the deadline of its oldest record: those that may wait longer are not in one that is nearly out of time. */
  private nextBatch(): Waiting[] {
    const batch = dequeueBatch(this.records, BATCH, ({ bytes }) => bytes);
    const oldest = batch[0]?.deadline ?? 0;
    if (oldest - performance.now() > NEARLY_OVER_MS) return batch;
    const later = batch.findIndex(({ deadline }) => deadline - oldest > SAME_TIME_MS);
    if (later > 0) this.records.unshift(...batch.splice(later));
    return batch;
  }

  private partOf(partition: number, records: readonly Waiting[]): Part<Waiting> {
    const number = (this.numbers[partition] ?? 0) + 1;
    this.numbers[partition] = number;
    return { partition, number, records, id: randomUUID(), isStored: false };
  }

  /** Never rejects: each record is resolved or rejected. */
  private async storeAll(parts: readonly Part<Waiting>[], deadline: number, minBytes = 0): Promise<void> {
    const bytes = bytesOf(parts) + minBytes;
    try {
      await this.writer.store(parts, { deadline, minBytes });
      this.storedBytes(bytes);
    } catch (error) {
      const reason = errorReason(error);
      const left = parts.filter(({ isStored }) => !isStored);
      this.failed({ partition: left[0]?.partition ?? 0, reason, bytes: bytesOf(left) + minBytes });
      const failure = new BusUnavailable(`the message bus did not store the record: ${reason}`);
      for (const { records } of left) this.settle(records, (item) => item.reject(failure));
    }
  }

  /** Records that arrive meanwhile wait, so that messages keep their order. */
  private async tryToStore({ partition, bytes }: Failure): Promise<void> {
    this.isBusy = true;
    await this.storeAll([this.partOf(partition, [])], performance.now() + TRY_MS, bytes);
    await this.drain();
  }

  private failed(failure: Failure): void {
    this.failure = { ...failure, bytes: Math.max(failure.bytes, this.failure?.bytes ?? 0) };
  }

  private storedBytes(bytes: number): void {
    if (bytes >= (this.failure?.bytes ?? 0)) this.failure = undefined;
  }

  private settle(batch: readonly Waiting[], settle: (item: Waiting) => void): void {
    for (const item of batch) {
      this.waiting--;
      this.waitingBytes -= item.bytes;
      this.linger.answer(item.sender);
      settle(item);
    }
  }

  /** Records that arrive within a few turns of the event loop are sent together. An idle event loop needs microseconds for a turn. */
  private async passBatchWindow(): Promise<void> {
    for (let turn = 0; turn < BATCH_WINDOW_TURNS; turn++) await setImmediate();
  }

  private async waitForOthers(): Promise<void> {
    const left = this.lingersFor();
    if (left === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left);
      this.endLinger = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.endLinger = undefined;
  }

  private lingersFor(): number {
    const [oldest] = this.records;
    const isFull = this.records.length >= BATCH.items || this.waitingBytes >= BATCH.bytes;
    return oldest === undefined || isFull ? 0 : this.linger.left(performance.now(), oldest.queuedAt);
  }

  private acknowledged(part: Part<Waiting>): void {
    this.stored[part.partition] = (this.stored[part.partition] ?? 0) + part.records.length;
    this.settle(part.records, (item) => item.resolve());
  }
}

function bytesOf(parts: readonly Part<Waiting>[]): number {
  return parts.flatMap(({ records }) => records).reduce((sum, { bytes }) => sum + bytes, 0);
}
