import {
  partitionOf,
  PARTITIONS,
  recordsSubject,
  type AcceptedRecords,
  type PublishedRecord,
} from '@ringdown/contracts/records';
import { reasonOf } from '@ringdown/errors';
import { BusUnavailable, StreamWriter, type Bus } from '@ringdown/nats';
import { randomBytes, randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { BatchBytes, type RecordJson } from './batch-bytes.js';
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
}

interface Failure {
  readonly partition: number;
  readonly reason: string;
  /** Of the largest message that failed: a disk that is full for it may have room for a smaller one. */
  readonly bytes: number;
}

interface Waiting extends RecordJson {
  readonly deadline: number;
  resolve(): void;
  reject(error: Error): void;
}

/** Below the NATS limit of one megabyte per message, with room for the JSON around the records. */
const BATCH: BatchLimits = { items: 256, bytes: 512 * 1024 };
/** A health check has four seconds. */
const TRY_MS = 2_000;
/** Fewer and larger messages cost the bus a third less for each record; waiting for more turns changes little. */
const BATCH_WINDOW_TURNS = 4;

/**
 * Stores records in JetStream. One message per partition is under way at a time; records that arrive meanwhile are
 * packed into the next, so the order inside a call is kept and a busy collector needs few acknowledgements.
 */
export class RecordPublisher {
  private readonly queues: Waiting[][] = Array.from({ length: PARTITIONS }, () => []);
  private readonly busy = new Set<number>();
  private readonly collector = randomBytes(6).toString('hex');
  /** Messages and acknowledged records of each partition. */
  private readonly numbers = Array.from({ length: PARTITIONS }, () => 0);
  private readonly stored = Array.from({ length: PARTITIONS }, () => 0);
  private waiting = 0;
  /** The last failure to store records; undefined when as many bytes were stored since. */
  private failure: Failure | undefined;
  private maxSeenWaiting = 0;
  private waitingBytes = 0;
  private batchWindow: Promise<void> | undefined;
  private readonly observer: PublishObserver | undefined;
  private readonly bus: Bus;
  private readonly writer: StreamWriter;
  private readonly bytes = new BatchBytes();
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
      this.queueOf(partition).push({ json, bytes, deadline, resolve, reject });
      if (!this.busy.has(partition)) void this.drain(partition);
    });
  }

  /**
   * A health check: rejects with the reason while records cannot be stored. When no front end tries it, because the collector is not ready,
   * it is tried with a message of that size without records.
   */
  async assertStores(): Promise<void> {
    const failed = this.failure;
    if (failed === undefined) return;
    if (!this.busy.has(failed.partition)) await this.tryToStore(failed);
    if (this.failure !== undefined) throw new Error(`the message bus did not store records: ${this.failure.reason}`);
  }

  /** Resolves when no record is waiting any more. */
  async idle(): Promise<void> {
    while (this.waiting > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  }

  private queueOf(partition: number): Waiting[] {
    return this.queues[partition] ?? [];
  }

  private async drain(partition: number): Promise<void> {
    this.busy.add(partition);
    const queue = this.queueOf(partition);
    while (queue.length > 0) {
      await this.endOfBatchWindow();
      const batch = dequeueBatch(queue, BATCH, ({ bytes }) => bytes);
      const bytes = batch.reduce((sum, item) => sum + item.bytes, 0);
      try {
        await this.store(partition, batch, Math.min(...batch.map((item) => item.deadline)));
        this.storedBytes(bytes);
        this.stored[partition] = (this.stored[partition] ?? 0) + batch.length;
        this.settle(batch, (item) => item.resolve());
      } catch (error) {
        const reason = reasonOf(error);
        this.failed({ partition, reason, bytes });
        const failure = new BusUnavailable(`the message bus did not store the record: ${reason}`);
        this.settle(batch, (item) => item.reject(failure));
      }
    }
    this.busy.delete(partition);
  }

  /** Records that arrive meanwhile wait, so that messages of a partition keep their order. */
  private async tryToStore({ partition, bytes }: Failure): Promise<void> {
    this.busy.add(partition);
    try {
      await this.store(partition, [], Date.now() + TRY_MS, bytes);
      this.storedBytes(bytes);
    } catch (error) {
      this.failed({ partition, reason: reasonOf(error), bytes });
    }
    await this.drain(partition);
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

  /**
   * Records that arrive within a few turns of the event loop are sent together: those of one partition in one message,
   * and the messages of all partitions in one write to the connection. An idle event loop needs microseconds for a
   * turn.
   */
  private endOfBatchWindow(): Promise<void> {
    this.batchWindow ??= this.passBatchWindow();
    return this.batchWindow;
  }

  private async passBatchWindow(): Promise<void> {
    for (let turn = 0; turn < BATCH_WINDOW_TURNS; turn++) await setImmediate();
    this.batchWindow = undefined;
  }

  /** Uses the same message id on every attempt: a message whose acknowledgement got lost is stored once. */
  private async store(partition: number, batch: readonly Waiting[], deadline: number, minBytes = 0): Promise<void> {
    const number = (this.numbers[partition] ?? 0) + 1;
    this.numbers[partition] = number;
    const body = paddedTo(minBytes, this.bytes.of({ collector: this.collector, number }, batch));
    const id = randomUUID();
    for (;;) {
      const left = deadline - Date.now();
      if (left <= 0) throw new Error(`no acknowledgement within ${this.deadlineMs} ms`);
      try {
        this.bus.assertConnected();
        await this.writer.store({ subject: recordsSubject(partition), body, id, timeoutMs: Math.min(left, 2_000) });
        this.observer?.tried('stored');
        return;
      } catch (error) {
        this.observer?.tried('failed');
        if (deadline - Date.now() < 100) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }
}

/** Spaces after JSON change nothing for its reader. */
function paddedTo(bytes: number, json: Uint8Array): Uint8Array {
  if (json.length >= bytes) return json;
  const padded = Buffer.alloc(bytes, ' ');
  padded.set(json);
  return padded;
}
