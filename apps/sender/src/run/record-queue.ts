import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { RECORDS_AT_ONCE, type Delivery } from '@ringdown/feed-client';

export interface RecordQueueOptions {
  readonly sender: {
    /** Whether several records may be sent in one post. */
    readonly acceptsBatches: boolean;
    /** Sends the first of these records; resolves with the outcomes of those that were sent. */
    sendBatch(records: readonly DiagnosticsRecord[]): Promise<readonly Delivery[]>;
  };
  /** How many records may wait. */
  readonly limit: number;
  /** Between two posts to a collector that accepts batches, unless enough records wait before, milliseconds. */
  readonly gatherMs?: number;
  readonly onDelivery: (record: DiagnosticsRecord, delivery: Delivery | { readonly outcome: 'dropped' }) => void;
}

/** A post costs as much as reading several packets. */
const GATHER_MS = 20;

/** Records that wait for a collector slower than the calls. Bounded: further records are dropped and counted. */
export class RecordQueue {
  private waiting = 0;
  /** Records that arrived since the previous ones were started. */
  private queued: DiagnosticsRecord[] = [];
  private sending: Promise<void> | undefined;
  /** Ends the current wait for more records. */
  private endGathering: (() => void) | undefined;
  private isEnding = false;

  constructor(private readonly options: RecordQueueOptions) {}

  get length(): number {
    return this.waiting;
  }

  enqueue(record: DiagnosticsRecord): void {
    const { limit, onDelivery } = this.options;
    if (this.waiting >= limit) {
      onDelivery(record, { outcome: 'dropped' });
      return;
    }
    this.waiting++;
    this.queued.push(record);
    if (this.hasEnough) this.endGathering?.();
    this.sending ??= this.sendAll();
  }

  /** Resolves when all records enqueued before have their outcome. From now on nothing waits for more records. */
  async idle(): Promise<void> {
    this.isEnding = true;
    this.endGathering?.();
    await this.sending;
  }

  /** A short queue must not overflow while it waits for a full batch. */
  private get hasEnough(): boolean {
    return this.queued.length >= Math.min(RECORDS_AT_ONCE, this.options.limit / 4);
  }

  /** One post after another: thousands may wait, and a promise for each would cost more than the record. */
  private async sendAll(): Promise<void> {
    while (this.queued.length > 0) {
      const records = this.queued;
      this.queued = [];
      for (let next = 0; next < records.length;)
        next += await this.sendSome(records.slice(next, next + RECORDS_AT_ONCE));
      if (this.options.sender.acceptsBatches && !this.hasEnough && !this.isEnding) await this.gather();
    }
    this.sending = undefined;
  }

  /** Returns how many were sent. */
  private async sendSome(records: readonly DiagnosticsRecord[]): Promise<number> {
    const deliveries = await this.options.sender.sendBatch(records);
    for (const [index, delivery] of deliveries.entries()) {
      const record = records[index];
      if (record === undefined) continue;
      this.waiting--;
      this.options.onDelivery(record, delivery);
    }
    return deliveries.length;
  }

  private async gather(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, this.options.gatherMs ?? GATHER_MS);
    this.endGathering = resolve;
    await promise;
    clearTimeout(timer);
    this.endGathering = undefined;
  }
}
