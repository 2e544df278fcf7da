import { BusFull, type Bus } from '@ringdown/nats';
import { Bucket } from '@ringdown/nats/buckets';
import { storedParser } from '../stored-entries/stored-parser.js';
import type { Content } from './conversations/conversation.js';

/** A stored message that can be read again. */
export interface StoredMessage {
  readonly v: 1;
  readonly number: number;
  /** Application of the author. */
  readonly from: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly content: Content;
}

/** Messages are delivered to a session; afterwards they can still be read for this long. */
const MAX_AGE_MS = 60 * 60 * 1000;

const parse = storedParser<StoredMessage>('a stored message');

/** The newest messages of all conversations, for clients that follow the link of a message. */
export class MessageStore {
  private constructor(private readonly bucket: Bucket<StoredMessage>) {}

  static async open(bus: Bus): Promise<MessageStore> {
    return new MessageStore(await Bucket.open({ bus, name: 'MESSAGES', maxAgeMs: MAX_AGE_MS, parse }));
  }

  /** In a full bucket, which the bus logs and counts, it is not kept: it is delivered all the same, and its link is 404. */
  async keep(conversation: string, message: StoredMessage): Promise<void> {
    try {
      await this.bucket.put(messageKey(conversation, message.number), message);
    } catch (error) {
      if (!(error instanceof BusFull)) throw error;
    }
  }

  /** Undefined for a message that is too old or never existed. */
  async read(conversation: string, number: number): Promise<StoredMessage | undefined> {
    return (await this.bucket.get(messageKey(conversation, number)))?.value;
  }
}

function messageKey(conversation: string, number: number): string {
  return `${conversation}.${number}`;
}
