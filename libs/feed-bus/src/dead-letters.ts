import type { StoredMsg } from '@nats-io/jetstream';
import { DEAD_LETTERS_STREAM, deadLetterSubject, type DeadLetter } from '@ringdown/contracts';
import { newestFirst, type Bus } from '@ringdown/nats';
import { createHash } from 'node:crypto';

/** A dead letter as it lies in the stream. */
export interface KeptLetter {
  /** By which it is asked for. */
  readonly number: number;
  readonly letter: DeadLetter;
}

const STORE_MS = 5_000;

/** Accepted records that could not become part of a call, whole, until an operator has dealt with them. */
export class DeadLetters {
  constructor(private readonly bus: Bus) {}

  /**
   * Resolves when it is stored. The same letter put twice within two minutes is kept once. `subscriber`: who should have got
   * the content, as each has letters of its own; left out for what was to become part of a call.
   */
  async put(letter: DeadLetter, subscriber?: string): Promise<void> {
    const { partition, sequence, code, content } = letter;
    // Not the content alone: the same record may come back after it was replayed.
    const identity = JSON.stringify([partition, sequence, code, content, subscriber]);
    const msgID = createHash('sha256').update(identity).digest('hex');
    this.bus.assertConnected();
    await this.bus.js.publish(deadLetterSubject(partition), JSON.stringify(letter), { msgID, timeout: STORE_MS });
  }

  /** The newest first. */
  async *all(): AsyncGenerator<KeptLetter> {
    for await (const message of newestFirst(this.bus, DEAD_LETTERS_STREAM)) yield kept(message);
  }

  /** Undefined when there is none of this number, or none any more. */
  async find(number: number): Promise<KeptLetter | undefined> {
    const message = await this.bus.jsm.streams.getMessage(DEAD_LETTERS_STREAM, { seq: number });
    return message === null ? undefined : kept(message);
  }

  async delete(number: number): Promise<void> {
    await this.bus.jsm.streams.deleteMessage(DEAD_LETTERS_STREAM, number);
  }
}

/** Written by our own aggregators; the version says when the form is another one. */
function kept(message: StoredMsg): KeptLetter {
  const letter = message.json<DeadLetter>();
  if (letter.v !== 1) throw new Error(`dead letter ${message.seq} was written by another version`);
  return { number: message.seq, letter };
}
