import type { DiagnosticsRecord } from '@ringdown/xml-schemas';
import type { Delivery } from '../delivery/delivery.js';

export interface OutboxOptions {
  readonly courier: { send(record: DiagnosticsRecord): Promise<Delivery> };
  /** How many records may wait for their turn. */
  readonly limit: number;
  readonly onDelivery: (record: DiagnosticsRecord, delivery: Delivery | { readonly outcome: 'dropped' }) => void;
}

/** Records on their way to a collector that is slower than the calls: bounded, what does not fit is dropped and counted. */
export class Outbox {
  private waiting = 0;
  /** What came since the sending of those before began. */
  private arrived: DiagnosticsRecord[] = [];
  private sending: Promise<void> | undefined;

  constructor(private readonly options: OutboxOptions) {}

  get length(): number {
    return this.waiting;
  }

  post(record: DiagnosticsRecord): void {
    const { limit, onDelivery } = this.options;
    if (this.waiting >= limit) {
      onDelivery(record, { outcome: 'dropped' });
      return;
    }
    this.waiting++;
    this.arrived.push(record);
    this.sending ??= this.sendAll();
  }

  /** Resolves when everything that was posted before has its outcome. */
  async idle(): Promise<void> {
    await this.sending;
  }

  /** One after another: thousands may wait, and each as a promise would cost more than its record. */
  private async sendAll(): Promise<void> {
    const { courier, onDelivery } = this.options;
    while (this.arrived.length > 0) {
      const records = this.arrived;
      this.arrived = [];
      for (const record of records) {
        const delivery = await courier.send(record);
        this.waiting--;
        onDelivery(record, delivery);
      }
    }
    this.sending = undefined;
  }
}
