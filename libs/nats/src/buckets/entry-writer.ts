import type { Bus } from '../bus.js';
import { StreamWriter } from '../streams/stream-writer.js';

const WRITE_MS = 5_000;
/** Instead of an entry: that it is deleted (NATS ADR-8). */
const DELETION = { 'KV-Operation': 'DEL' };

/** Writes entries of a bucket that belongs to another account, and cannot be opened here. */
export class EntryWriter<T> {
  private readonly writer: StreamWriter;

  constructor(
    private readonly bus: Bus,
    private readonly bucket: string,
  ) {
    this.writer = new StreamWriter(bus);
  }

  async put(key: string, value: T): Promise<void> {
    await this.store(key, JSON.stringify(value));
  }

  /** Without a roll-up, which such buckets reject: the marker replaces the only message of its key. */
  async delete(key: string): Promise<void> {
    await this.store(key, '', DELETION);
  }

  private async store(key: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<void> {
    const subject = `$KV.${this.bucket}.${key}`;
    try {
      await this.writer.store({ subject, body, headers, timeoutMs: WRITE_MS });
    } catch (error) {
      throw this.bus.bucketSizes.writeError(this.bucket, error);
    }
  }
}
