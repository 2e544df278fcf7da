import { isTime, type Untrusted } from './foreign-json.js';
import type { SentBy } from './records.js';

/** Stream with accepted records that could not become part of a call. */
export const DEAD_LETTERS_STREAM = 'DEAD_LETTERS';

/** `*` for the dead letters of all partitions. */
export function deadLetterSubject(partition: number | '*'): string {
  return `ringdown.dead-letters.${partition}`;
}

export type DeadLetterCode =
  | 'unreadable-message'
  | 'unreadable-record'
  | 'unstorable-record'
  | 'call-too-long'
  /** Its processing exceeds the time limit. */
  | 'slow-record'
  /** The process ended repeatedly while it was processed. */
  | 'fatal-record'
  /** It was not delivered to a subscriber: it could not be converted, filtered or hidden, or not in time. */
  | 'unsendable-record';

/** An accepted record that could not become part of a call. */
export interface DeadLetter {
  readonly v: 1;
  /** The aggregator's clock, milliseconds since 1970. */
  readonly setAsideAt: number;
  /** The partition in which it was read. */
  readonly partition: number;
  /**
   * Sequence of the message that contained it, in the stream of records, or of the last message read together with it.
   */
  readonly sequence: number;
  readonly code: DeadLetterCode;
  /** Readable text. */
  readonly reason: string;
  /** The record as found in the message; if the message was not a batch of records, its text. */
  readonly content: unknown;
}

/** Other services can write to the stream, too: a message of another form must not hide the rest. */
export function isDeadLetter(value: unknown): value is DeadLetter {
  const { v, setAsideAt, partition, sequence, code, reason }: Untrusted = { ...Object(value) };
  const numbers = [partition, sequence];
  return (
    v === 1 &&
    isTime(setAsideAt) &&
    numbers.every(Number.isSafeInteger) &&
    [code, reason].every((text) => typeof text === 'string')
  );
}

/** Stream with the newest rejected records, for operators. */
export const REJECTED_STREAM = 'REJECTED';

export const REJECTED_SUBJECT = 'ringdown.rejected';

/** A rejected body, stored for an operator. */
export interface RejectedRecord extends SentBy {
  /** The collector's clock, milliseconds since 1970. */
  readonly receivedAt: number;
  readonly remoteAddress: string;
  readonly path: string;
  /** Stable code from the collector's error table. */
  readonly code: string;
  readonly reason: string;
  /** The start of the body; truncated if it was too long. */
  readonly body: string;
}

/** As {@link isDeadLetter}. */
export function isRejectedRecord(value: unknown): value is RejectedRecord {
  const {
    receivedAt,
    remoteAddress,
    certificateSubject = '',
    path,
    code,
    reason,
    body,
  }: Untrusted = { ...Object(value) };
  const texts = [remoteAddress, certificateSubject, path, code, reason, body];
  return isTime(receivedAt) && texts.every((text) => typeof text === 'string');
}
