import type { StoredMsg } from '@nats-io/jetstream';
import { DEAD_LETTERS_STREAM, deadLetterSubject, isDeadLetter, type DeadLetter } from '@ringdown/contracts/set-aside';
import type { Bus } from '@ringdown/nats';
import { newestFirst } from '@ringdown/nats/buckets';
import { StreamWriter } from '@ringdown/nats/streams';
import { createHash, randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { parsedJson } from './parsed-json.js';

/** A dead letter as it is stored in the stream. */
export interface StoredLetter {
  /** Identifies it in requests. */
  readonly number: number;
  readonly letter: DeadLetter;
}

const STORE_MS = 5_000;

/** Accepted records that could not become part of a call, whole, until an operator handles them. */
export class DeadLetters {
  private readonly writer: StreamWriter;

  constructor(private readonly bus: Bus) {
    this.writer = new StreamWriter(bus);
  }

  /**
   * Resolves when it is stored. The same letter put twice within two minutes is stored once. `subscriber`: the intended
   * receiver of the content, as each has its own letters; left out for a record that should have become part of a call.
   */
  async put(letter: DeadLetter, subscriber?: string): Promise<void> {
    const { partition, sequence, code, content } = letter;
    // The content alone is not enough: the same record may fail again after it was replayed.
    const identity = JSON.stringify([partition, sequence, code, content, subscriber]);
    const id = createHash('sha256').update(identity).digest('hex');
    this.bus.assertConnected();
    const message = { subject: deadLetterSubject(partition), body: JSON.stringify(letter), timeoutMs: STORE_MS };
    const stored = await this.writer.storeOnce({ ...message, id });
    // The id is no secret: another account that writes letters could have used it for one of its own, and this one would be lost.
    if (!stored.isDuplicate || !this.bus.hasJetStream || (await this.isStoredAs(stored.sequence, letter))) return;
    await this.writer.store({ ...message, id: randomUUID() });
  }

  private async isStoredAs(number: number, { partition, sequence, code, content }: DeadLetter): Promise<boolean> {
    const found = await this.bus.jsm.streams.getMessage(DEAD_LETTERS_STREAM, { seq: number });
    const letter: Partial<DeadLetter> = Object(parsedJson(found?.string() ?? ''));
    const wanted = [partition, sequence, code, content];
    return isDeepStrictEqual([letter.partition, letter.sequence, letter.code, letter.content], asStored(wanted));
  }

  /** All letters, newest first. */
  async *all(): AsyncGenerator<StoredLetter> {
    for await (const message of newestFirst(this.bus, DEAD_LETTERS_STREAM)) yield storedLetter(message);
  }

  /** Undefined when no letter has this number, or when it was deleted. */
  async find(number: number): Promise<StoredLetter | undefined> {
    const message = await this.bus.jsm.streams.getMessage(DEAD_LETTERS_STREAM, { seq: number });
    return message === null ? undefined : storedLetter(message);
  }

  async delete(number: number): Promise<void> {
    await this.bus.jsm.streams.deleteMessage(DEAD_LETTERS_STREAM, number);
  }
}

/** As it is read again. */
function asStored(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** One that none of our aggregators has written in this format is shown as what it is, and hides no other. */
function storedLetter(message: StoredMsg): StoredLetter {
  const letter = parsedJson(message.string());
  return { number: message.seq, letter: isDeadLetter(letter) ? letter : unreadableLetter(message) };
}

function unreadableLetter(message: StoredMsg): DeadLetter {
  return {
    v: 1,
    setAsideAt: message.time.getTime(),
    partition: Number(message.subject.split('.').at(-1)),
    sequence: 0,
    code: 'unreadable-message',
    reason: 'the letter itself is not one of this version',
    content: message.string().toWellFormed(),
  };
}
