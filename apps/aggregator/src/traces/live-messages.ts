import { TRACES_STORED_SUBJECT } from '@ringdown/contracts/traces';
import type { Bus } from '@ringdown/nats';
import { READER_LIMIT } from '../user-limit-settings.js';
import { MessageReader, type MessageReaderOptions } from './message-reader.js';

export interface NewMessageReader extends MessageReaderOptions {
  /** Called once, before anything is written. */
  readonly begin: () => void;
}

/** All readers that follow the messages of calls through this process. */
export class LiveMessages {
  private readonly readers = new Set<MessageReader>();
  private readonly unsubscribe: () => void;
  private isClosed = false;

  constructor(bus: Bus) {
    this.unsubscribe = bus.subscribe(TRACES_STORED_SUBJECT, (stored) => this.onStored(stored));
  }

  get isFull(): boolean {
    return this.isClosed || this.readers.size >= READER_LIMIT;
  }

  /** Rejects when the first messages cannot be read, before anything is written. Resolves when the reader ends. */
  async follow({ begin, ...options }: NewMessageReader): Promise<void> {
    const reader = new MessageReader(options);
    this.readers.add(reader);
    try {
      await reader.prepare();
      begin();
      await reader.run();
    } finally {
      this.readers.delete(reader);
    }
  }

  /** Ends all streams; their clients reconnect, to another replica. */
  close(): void {
    this.isClosed = true;
    this.unsubscribe();
    for (const reader of this.readers) reader.end();
  }

  private onStored(stored: unknown): void {
    const { callIds }: { readonly callIds?: unknown } = { ...Object(stored) };
    if (!Array.isArray(callIds)) return;
    const keys = new Set(callIds.map(String));
    for (const reader of this.readers) reader.onStored(keys);
  }
}
