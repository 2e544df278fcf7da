import {
  bundleSubject,
  partitionOf,
  PARTITIONS,
  recordsSubject,
  type AcceptedRecords,
  type PublishedRecord,
} from '@ringdown/contracts/records';
import { reasonOf } from '@ringdown/errors';
import { BusUnavailable, StreamWriter, type Bus, type MessageToStore } from '@ringdown/nats';
import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { BatchBytes, type PartJson, type RecordJson } from './batch-bytes.js';
import type { BundleOffer } from './bundle-offer.js';
import { dequeueBatch, type BatchLimits } from './dequeue-batch.js';

/** Notified of each attempt, for the metrics of a service. */
export interface PublishObserver {
  /** One message was stored, or an attempt to store it has failed. */
  tried(outcome: 'stored' | 'failed'): void;
}

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
  /** The first of those that failed. */
  readonly partition: number;
  readonly reason: string;
  /** Of the largest message that failed: a disk that is full for it may have room for a smaller one. */
  readonly bytes: number;
}

interface Waiting extends RecordJson {
  readonly partition: number;
  readonly deadline: number;
  resolve(): void;
  reject(error: Error): void;
}

/** The records of one partition that are under way together. */
interface Part extends PartJson {
  readonly records: readonly Waiting[];
  /** Of a message that has only them: the same on every attempt. */
  readonly id: string;
  isStored: boolean;
}

/** Below the NATS limit of one megabyte per message, with room for the JSON around the records. */
const BATCH: BatchLimits = { items: 256, bytes: 512 * 1024 };
/** A health check has four seconds. */
const TRY_MS = 2_000;
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
  private readonly observer: PublishObserver | undefined;
  private readonly bus: Bus;
  private readonly writer: StreamWriter;
  private readonly bytes = new BatchBytes();
  private readonly bundles: BundleOffer | undefined;
  private readonly deadlineMs: number;
  private readonly maxWaiting: number;
  private readonly maxWaitingBytes: number;

  constructor(options: RecordPublisherOptions) {
    const { bus, deadlineMs = 5_000, maxWaiting = 10_000, maxWaitingBytes = 64 * 1024 * 1024 } = options;
    this.bus = bus;
    this.writer = new StreamWriter(bus);
    this.deadlineMs = deadlineMs;
    this.maxWaiting = maxWaiting;
    this.maxWaitingBytes = maxWaitingBytes;
    this.observer = options.observer;
    this.bundles = options.bundles;
  }

  /** The number of waiting records, now and at its highest. */
  get queue(): { readonly now: number; readonly longest: number } {
    return { now: this.waiting, longest: this.maxSeenWaiting };
  }

  get accepted(): AcceptedRecords {
    return { collector: this.collector, byPartition: [...this.stored] };
  }

  /** Resolves when the record is stored. Rejects with {@link BusUnavailable} when no acknowledgement comes in time. */
  publish(record: PublishedRecord): Promise<void> {
    if (this.waiting >= this.maxWaiting || this.waitingBytes >= this.maxWaitingBytes) {
      return Promise.reject(new BusUnavailable(`${this.waiting} records are already waiting for the message bus`));
    }
    const partition = partitionOf(record.record.connection.callId);
    const json = JSON.stringify(record);
    const bytes = Buffer.byteLength(json);
    this.waiting++;
    this.maxSeenWaiting = Math.max(this.maxSeenWaiting, this.waiting);
    this.waitingBytes += bytes;
    return new Promise<void>((resolve, reject) => {
      const deadline = Date.now() + this.deadlineMs;
      this.records.push({ partition, json, bytes, deadline, resolve, reject });
      if (!this.isBusy) void this.drain();
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
      const batch = dequeueBatch(this.records, BATCH, ({ bytes }) => bytes);
      const parts = [...Map.groupBy(batch, ({ partition }) => partition)].map(([partition, records]) => {
        return this.partOf(partition, records);
      });
      await this.storeAll(parts, Math.min(...batch.map(({ deadline }) => deadline)));
    }
    this.isBusy = false;
  }

  private partOf(partition: number, records: readonly Waiting[]): Part {
    const number = (this.numbers[partition] ?? 0) + 1;
    this.numbers[partition] = number;
    return { partition, number, records, id: randomUUID(), isStored: false };
  }

  /** Never rejects: each record is resolved or rejected. */
  private async storeAll(parts: readonly Part[], deadline: number, minBytes = 0): Promise<void> {
    const bytes = parts.flatMap(({ records }) => records).reduce((sum, record) => sum + record.bytes, minBytes);
    try {
      await this.store(parts, deadline, minBytes);
      this.storedBytes(bytes);
    } catch (error) {
      const reason = reasonOf(error);
      this.failed({ partition: parts[0]?.partition ?? 0, reason, bytes });
      const failure = new BusUnavailable(`the message bus did not store the record: ${reason}`);
      const left = parts.filter(({ isStored }) => !isStored).flatMap(({ records }) => records);
      this.settle(left, (item) => item.reject(failure));
    }
  }

  /** Records that arrive meanwhile wait, so that messages keep their order. */
  private async tryToStore({ partition, bytes }: Failure): Promise<void> {
    this.isBusy = true;
    await this.storeAll([this.partOf(partition, [])], Date.now() + TRY_MS, bytes);
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
      settle(item);
    }
  }

  /** Records that arrive within a few turns of the event loop are sent together. An idle event loop needs microseconds for a turn. */
  private async passBatchWindow(): Promise<void> {
    for (let turn = 0; turn < BATCH_WINDOW_TURNS; turn++) await setImmediate();
  }

  private async store(parts: readonly Part[], deadline: number, minBytes: number): Promise<void> {
    const id = randomUUID();
    for (;;) {
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`no acknowledgement within ${this.deadlineMs} ms`);
      const timeoutMs = Math.min(left, 2_000);
      const isBundle = parts.length > 1 && this.bundles?.isOpen === true && parts.every(({ isStored }) => !isStored);
      try {
        this.bus.assertConnected();
        await (isBundle ? this.storeBundle(parts, id, timeoutMs) : this.storeEach(parts, timeoutMs, minBytes));
        return;
      } catch (error) {
        if (deadline - Date.now() < 100) throw error;
        if (isBundle) await this.bundles?.check();
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  private async storeBundle(parts: readonly Part[], id: string, timeoutMs: number): Promise<void> {
    const inOrder = parts.toSorted((a, b) => a.partition - b.partition);
    const subject = bundleSubject(inOrder.map(({ partition }) => partition));
    await this.send({ subject, body: this.bytes.bundle(this.collector, inOrder), id, timeoutMs });
    for (const part of parts) this.acknowledged(part);
  }

  /** Rejects when one of them is not stored, with its reason. */
  private async storeEach(parts: readonly Part[], timeoutMs: number, minBytes: number): Promise<void> {
    const outcomes = await Promise.allSettled(
      parts.filter(({ isStored }) => !isStored).map((part) => this.storePart(part, timeoutMs, minBytes)),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  private async storePart(part: Part, timeoutMs: number, minBytes: number): Promise<void> {
    const { partition, number, records, id } = part;
    const body = paddedTo(minBytes, this.bytes.of({ collector: this.collector, number }, records));
    await this.send({ subject: recordsSubject(partition), body, id, timeoutMs });
    this.acknowledged(part);
  }

  /** Uses the same message id on every attempt: a message whose acknowledgement got lost is stored once. */
  private async send(message: MessageToStore): Promise<void> {
    try {
      await this.writer.store(message);
      this.observer?.tried('stored');
    } catch (error) {
      this.observer?.tried('failed');
      throw error;
    }
  }

  private acknowledged(part: Part): void {
    part.isStored = true;
    this.stored[part.partition] = (this.stored[part.partition] ?? 0) + part.records.length;
    this.settle(part.records, (item) => item.resolve());
  }
}

/** Spaces after JSON change nothing for its reader. */
function paddedTo(bytes: number, json: Uint8Array): Uint8Array {
  if (json.length >= bytes) return json;
  const padded = Buffer.alloc(bytes, ' ');
  padded.set(json);
  return padded;
}
