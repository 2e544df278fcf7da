import type { DiagnosticsRecord } from '@ringdown/xml-schemas';
import type { Delivery } from '@ringdown/feed-client';

export interface RecordQueueOptions {
  readonly sender: { send(record: DiagnosticsRecord): Promise<Delivery> };
  /** How many records may wait. */
  readonly limit: number;
  readonly onDelivery: (record: DiagnosticsRecord, delivery: Delivery | { readonly outcome: 'dropped' }) => void;
}

/** Records that wait for a collector slower than the calls. Bounded: further records are dropped and counted. */
export class RecordQueue {
  private waiting = 0;
  /** Records that arrived since the previous batch was started. */
  private queued: DiagnosticsRecord[] = [];
  private sending: Promise<void> | undefined;

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
    this.sending ??= this.sendAll();
  }

  /** Resolves when all records enqueued before have their outcome. */
  async idle(): Promise<void> {
    await this.sending;
  }

  /** One after another: thousands may wait, and a promise for each would cost more than the record. */
  private async sendAll(): Promise<void> {
    const { sender, onDelivery } = this.options;
    while (this.queued.length > 0) {
      const records = this.queued;
      this.queued = [];
      for (const record of records) {
        const delivery = await sender.send(record);
        this.waiting--;
        onDelivery(record, delivery);
      }
    }
    this.sending = undefined;
  }
}
