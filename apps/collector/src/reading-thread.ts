import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { takeBatch, type BatchLimits } from '@ringdown/bus';
import type { VendorProfile } from '@ringdown/vendor-profile';
import { readFeedBody, type BodyRead } from './feed-body.js';

/** What the thread is started with. */
export interface ThreadData {
  readonly profile: VendorProfile;
}

/** Bodies one behind the other. The thread answers with as many {@link BodyRead} in the same order. */
export interface BodyBatch {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each ends in `bytes`. */
  readonly ends: readonly number[];
  /** When each had arrived: the collector's clock, milliseconds since 1970. */
  readonly receivedAt: readonly number[];
}

/** A body cannot be read now, which is no fault of its own. */
export class ReaderUnavailable extends Error {
  override readonly name = 'ReaderUnavailable';
}

export interface ReadingThreadOptions extends ThreadData {
  /** The module that the thread runs; ours unless a test has another. */
  readonly entry?: URL;
  /** Bodies that may wait at once, and their bytes; more are refused at the door instead of filling the memory. */
  readonly maxWaiting?: number;
  readonly maxWaitingBytes?: number;
  /** How long the thread may be silent over a batch, milliseconds. One that is silent for longer is given up. */
  readonly patienceMs?: number;
  /** Hears that a thread has ended that should not have, and why. */
  readonly onEnd: (reason: string) => void;
}

interface Waiting {
  readonly body: Uint8Array;
  readonly receivedAt: number;
  resolve(read: BodyRead): void;
  reject(error: Error): void;
}

const ENTRY = new URL('reading-thread-main.js', import.meta.url);
/** Large ones cost less for each body, but answers to those that were read first wait for the last. */
const BATCH: BatchLimits = { items: 64, bytes: 256 * 1_024 };
/** To hand over so little costs more than to read it here. */
const SMALL_BYTES = 8 * 1_024;
/** Reading a batch takes some milliseconds. */
const PATIENCE_MS = 10_000;

/**
 * Reads bodies in a thread of its own, as long as they come faster than a few at a time. One batch is under way at a
 * time; what arrives meanwhile is the next. A thread that ends is replaced by another.
 */
export class ReadingThread {
  private worker: Worker | undefined;
  private readonly queue: Waiting[] = [];
  private underWay: readonly Waiting[] = [];
  private silence: NodeJS.Timeout | undefined;
  private planned = false;
  private count = 0;
  private bytes = 0;
  private readonly maxWaiting: number;
  private readonly maxWaitingBytes: number;
  private readonly patienceMs: number;

  constructor(private readonly options: ReadingThreadOptions) {
    const { maxWaiting = 10_000, maxWaitingBytes = 64 * 1_024 * 1_024, patienceMs = PATIENCE_MS } = options;
    this.maxWaiting = maxWaiting;
    this.maxWaitingBytes = maxWaitingBytes;
    this.patienceMs = patienceMs;
    this.worker = this.start();
  }

  /** Bodies that are not read yet. */
  get waiting(): number {
    return this.count;
  }

  /** Rejects with {@link ReaderUnavailable} when too many wait already, and when the thread ends over it. */
  read(body: Uint8Array, receivedAt: number): Promise<BodyRead> {
    if (this.count >= this.maxWaiting || this.bytes >= this.maxWaitingBytes) {
      return Promise.reject(new ReaderUnavailable(`${this.count} bodies wait to be read already`));
    }
    this.count++;
    this.bytes += body.length;
    return new Promise((resolve, reject) => {
      this.queue.push({ body, receivedAt, resolve, reject });
      this.plan();
    });
  }

  /** Resolves when everything is read and the thread has ended. Nothing may be given to it any more. */
  async close(): Promise<void> {
    while (this.count > 0) await sleep(5);
    const { worker } = this;
    this.worker = undefined;
    await worker?.terminate();
  }

  /** Bodies that arrive in the same turn of the event loop go together. */
  private plan(): void {
    if (this.planned || this.queue.length === 0 || this.underWay.length > 0) return;
    this.planned = true;
    setImmediate(() => {
      this.planned = false;
      this.next();
    });
  }

  private next(): void {
    const batch = takeBatch(this.queue, BATCH, ({ body }) => body.length);
    if (bytesOf(batch) <= SMALL_BYTES) {
      const { profile } = this.options;
      for (const item of batch) this.settle(item, readFeedBody(item.body, item.receivedAt, profile));
      this.plan();
      return;
    }
    const worker = (this.worker ??= this.start());
    this.underWay = batch;
    this.silence = setTimeout(() => this.lose(worker, `it said nothing for ${this.patienceMs} ms`), this.patienceMs);
    const message = batchOf(batch);
    worker.postMessage(message, [message.bytes.buffer]);
  }

  private start(): Worker {
    const { profile, entry = ENTRY } = this.options;
    const workerData: ThreadData = { profile };
    const worker = new Worker(entry, { workerData, name: 'reader' });
    worker.on('message', (read: readonly BodyRead[]) => this.hear(worker, read));
    worker.on('error', (error: Error) => this.lose(worker, error.message));
    worker.on('exit', (code) => this.lose(worker, `exit code ${code}`));
    return worker;
  }

  private hear(worker: Worker, read: readonly BodyRead[]): void {
    if (this.worker !== worker) return;
    for (const [index, item] of this.endBatch().entries()) this.settle(item, read[index]);
    this.plan();
  }

  /** What it had is lost, what waits goes to another one. An error is told before the exit. */
  private lose(worker: Worker, reason: string): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    void worker.terminate();
    this.options.onEnd(reason);
    for (const item of this.endBatch()) this.settle(item, undefined);
    this.plan();
  }

  private endBatch(): readonly Waiting[] {
    clearTimeout(this.silence);
    const batch = this.underWay;
    this.underWay = [];
    return batch;
  }

  private settle(item: Waiting, read: BodyRead | undefined): void {
    this.count--;
    this.bytes -= item.body.length;
    if (read) item.resolve(read);
    else item.reject(new ReaderUnavailable('the thread that reads bodies has ended'));
  }
}

function bytesOf(batch: readonly Waiting[]): number {
  return batch.reduce((sum, { body }) => sum + body.length, 0);
}

function batchOf(batch: readonly Waiting[]): BodyBatch {
  const bytes = new Uint8Array(bytesOf(batch));
  let end = 0;
  const ends = batch.map(({ body }) => {
    bytes.set(body, end);
    end += body.length;
    return end;
  });
  return { bytes, ends, receivedAt: batch.map(({ receivedAt }) => receivedAt) };
}
