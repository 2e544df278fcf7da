import { TRACES_STORED_SUBJECT } from '@ringdown/contracts/traces';
import type { Bus } from '@ringdown/nats';
import { ItemReaders } from '../live/item-readers.js';

/** All readers that follow the messages of calls through this process. */
export class LiveMessages extends ItemReaders {
  private readonly unsubscribe: () => void;

  constructor(bus: Bus) {
    super();
    this.unsubscribe = bus.subscribe(TRACES_STORED_SUBJECT, (stored) => this.onStored(stored));
  }

  override close(): void {
    this.unsubscribe();
    super.close();
  }

  private onStored(stored: unknown): void {
    const { callIds }: { readonly callIds?: unknown } = { ...Object(stored) };
    if (Array.isArray(callIds)) this.changed(new Set(callIds.map(String)));
  }
}
