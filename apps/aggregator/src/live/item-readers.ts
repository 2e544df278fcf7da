import { READER_LIMIT } from '../settings/user-limit-settings.js';
import { ItemReader, type ItemReaderOptions } from './item-reader.js';

export interface NewItemReader extends ItemReaderOptions {
  /** Called once, before anything is written. */
  readonly begin: () => void;
}

/** All readers that follow items of one kind through this process. */
export class ItemReaders {
  private readonly readers = new Set<ItemReader>();
  private isClosed = false;

  get isFull(): boolean {
    return this.isClosed || this.readers.size >= READER_LIMIT;
  }

  get size(): number {
    return this.readers.size;
  }

  /** Rejects when the first items cannot be read, before anything is written. Resolves when the reader ends. */
  async follow({ begin, ...options }: NewItemReader): Promise<void> {
    const reader = new ItemReader(options);
    this.readers.add(reader);
    try {
      await reader.prepare();
      begin();
      await reader.run();
    } finally {
      this.readers.delete(reader);
    }
  }

  /** `keys`: of calls that have new items; undefined when any may have. */
  changed(keys: ReadonlySet<string> | undefined): void {
    for (const reader of this.readers) reader.onChanged(keys);
  }

  /** Ends all streams; their clients reconnect, to another replica. */
  close(): void {
    this.isClosed = true;
    for (const reader of this.readers) reader.end();
  }
}
