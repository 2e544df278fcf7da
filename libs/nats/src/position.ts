import type { JsMsg, StreamInfo, StreamState } from '@nats-io/jetstream';
import { hash } from 'node:crypto';
import type { Bus } from './bus.js';
import { streamLife } from './streams.js';

/** How far a stream has been read, and by what it is recognised. */
export interface StreamPosition {
  /** Tells one life of the stream from the next, whose numbers start again. */
  readonly epoch: string;
  /** Sequence of the last message that was read; 0 before the first. */
  readonly sequence: number;
  /** Of that message; positions that an older program has stored have none. */
  readonly message?: MessageMark;
}

/** What a message is recognised by. */
export interface MessageMark {
  readonly digest: string;
  /** When the bus stored it, milliseconds since 1970 by its clock. */
  readonly storedAt: number;
}

/** The client and the server write nanoseconds as a floating-point number and as a text: they may differ by one. */
const TIME_TOLERANCE_MS = 1;

export function markOf({ subject, data, info }: Pick<JsMsg, 'subject' | 'data' | 'info'>): MessageMark {
  return { digest: digestOf(subject, data), storedAt: storedAtOf(info) };
}

export function storedAtOf({ timestampNanos }: Pick<JsMsg['info'], 'timestampNanos'>): number {
  return Math.floor(timestampNanos / 1_000_000);
}

function digestOf(subject: string, data: Uint8Array): string {
  // 128 bits are enough to tell messages apart.
  return hash('sha256', Buffer.concat([Buffer.from(`${subject}\n`), data]), 'base64url').slice(0, 22);
}

/**
 * Whether this stream is the one that was read up to `position`: the message at its sequence is the one that was read. When
 * it has expired, everything that is left has to be newer than it. A bus that lost its newest messages gives their sequences
 * to others, so that the sequence alone says nothing.
 */
export async function isRecognised(bus: Bus, stream: StreamInfo, position: StreamPosition): Promise<boolean> {
  const { sequence, message, epoch } = position;
  const { first_seq: first, last_seq: last } = stream.state;
  if (sequence === 0) return epoch === streamLife(stream);
  if (sequence > last) return false;
  // As far as an older program has made sure.
  if (message === undefined) return epoch === streamLife(stream);
  if (sequence < first) return isOlderThanAll(message, stream.state);
  const found = await bus.jsm.streams.getMessage(stream.config.name, { seq: sequence });
  if (found === null) {
    // It may have expired since the stream was looked at.
    const { state } = await bus.jsm.streams.info(stream.config.name);
    return sequence < state.first_seq && isOlderThanAll(message, state);
  }
  const isSameTime = Math.abs(found.time.getTime() - message.storedAt) <= TIME_TOLERANCE_MS;
  return isSameTime && digestOf(found.subject, found.data) === message.digest;
}

function isOlderThanAll({ storedAt }: MessageMark, { messages, first_ts: firstAt }: StreamState): boolean {
  return messages === 0 || Date.parse(firstAt) >= storedAt;
}
