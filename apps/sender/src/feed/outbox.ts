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
  private last: Promise<void> = Promise.resolve();

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
    this.last = this.send(record);
  }

  /** Resolves when everything that was posted before has its outcome. */
  async idle(): Promise<void> {
    await this.last;
  }

  private async send(record: DiagnosticsRecord): Promise<void> {
    const delivery = await this.options.courier.send(record);
    this.waiting--;
    this.options.onDelivery(record, delivery);
  }
}
