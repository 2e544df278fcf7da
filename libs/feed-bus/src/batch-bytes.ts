import type { BundleParts, MessageOrigin } from '@ringdown/contracts/records';

/** A record that is JSON already, and its size in bytes of UTF-8. */
export interface RecordJson {
  readonly json: string;
  readonly bytes: number;
}

/** The records of one partition in a bundle. */
export interface PartJson {
  readonly partition: number;
  readonly number: number;
  readonly records: readonly RecordJson[];
}

/** Behind the head of a message, which has no quotes or texts of senders. */
export const RECORDS_OF_MESSAGE = ',"records":[';
export const TAIL = ']}';
const BUFFER_BYTES = 256 * 1_024;

/**
 * Builds the bytes of messages one behind the other in a buffer that is used for many: allocating a buffer for each
 * needed more CPU time than writing into it.
 */
export class BatchBytes {
  private buffer = Buffer.alloc(0);
  private at = 0;

  /** The JSON of a `RecordBatch`; `from` contains only ASCII characters. */
  of(from: MessageOrigin, records: readonly RecordJson[]): Uint8Array {
    return this.message(`{"v":1,"from":${JSON.stringify(from)}`, records);
  }

  /** The JSON of a `RecordBundle`; `collector` contains only ASCII characters. */
  bundle(collector: string, parts: readonly PartJson[]): Uint8Array {
    const found: BundleParts = {
      collector,
      of: parts.map(({ partition, number, records }) => [partition, number, joinedBytes(records)]),
    };
    const records = parts.flatMap((part) => part.records);
    return this.message(`{"v":1,"parts":${JSON.stringify(found)}`, records);
  }

  private message(start: string, records: readonly RecordJson[]): Uint8Array {
    const head = `${start}${RECORDS_OF_MESSAGE}`;
    const size = head.length + joinedBytes(records) + TAIL.length;
    if (this.buffer.length - this.at < size) {
      this.buffer = Buffer.allocUnsafeSlow(Math.max(BUFFER_BYTES, size));
      this.at = 0;
    }
    const begin = this.at;
    this.write(head);
    for (const [index, { json }] of records.entries()) {
      if (index > 0) this.write(',');
      this.write(json);
    }
    this.write(TAIL);
    return this.buffer.subarray(begin, this.at);
  }

  private write(text: string): void {
    this.at += this.buffer.write(text, this.at);
  }
}

/** With the commas between them. */
function joinedBytes(records: readonly RecordJson[]): number {
  return records.reduce((sum, { bytes }) => sum + bytes + 1, records.length === 0 ? 0 : -1);
}
