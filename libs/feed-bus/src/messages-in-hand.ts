import type { JsMsg } from '@nats-io/jetstream';
import { bytesForPartition } from './read-message.js';

const MAX_BATCH_MESSAGES = 200;
/** One batch is one transaction; its size must not grow with the size of the messages. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/** What a partition has in hand for its next batch. */
export interface InHand {
  /** Of its own share of the messages. */
  readonly bytes: number;
  /** Whether it holds as much as one batch may have. */
  readonly isFull: boolean;
}

/** Messages of a partition that become its next batch. */
export class MessagesInHand implements InHand {
  private messages: JsMsg[] = [];
  private size = 0;

  get bytes(): number {
    return this.size;
  }

  get isFull(): boolean {
    return !this.hasRoom(MAX_BATCH_BYTES);
  }

  add(message: JsMsg): void {
    this.messages.push(message);
    this.size += bytesForPartition(message);
  }

  /** Whether one more belongs to a batch that may have so many bytes. */
  hasRoom(bytes: number): boolean {
    return this.messages.length < MAX_BATCH_MESSAGES && this.size < Math.min(bytes, MAX_BATCH_BYTES);
  }

  take(): readonly JsMsg[] {
    const { messages } = this;
    [this.messages, this.size] = [[], 0];
    return messages;
  }
}
