import type { JsMsg, StreamInfo, StreamState } from '@nats-io/jetstream';
import { hash } from 'node:crypto';
import type { Bus } from '../bus.js';
import { FoundInStream } from './found-in-stream.js';
import { streamEpoch } from './streams.js';

/** How far a stream has been read, and how to recognise the stream. */
export interface StreamPosition {
  /** Identifies one life of the stream: a recreated stream starts its sequences again. */
  readonly epoch: string;
  /** Sequence of the last message that was read; 0 before the first. */
  readonly sequence: number;
  /** Mark of that message; positions stored by older versions have none. */
  readonly message?: MessageMark;
}

/** How a message is recognised. */
export interface MessageMark {
  readonly digest: string;
  /** When the bus stored it, milliseconds since 1970 by its clock. */
  readonly storedAt: number;
}

/** The client and the server write nanoseconds as a floating-point number and as a text: they may differ by one. */
const TIME_TOLERANCE_MS = 1;

export function messageMark({ subject, data, info }: Pick<JsMsg, 'subject' | 'data' | 'info'>): MessageMark {
  return { digest: messageDigest(subject, data), storedAt: storageTime(info) };
}

export function storageTime({ timestampNanos }: Pick<JsMsg['info'], 'timestampNanos'>): number {
  return Math.floor(timestampNanos / 1_000_000);
}

function messageDigest(subject: string, data: Uint8Array): string {
  // 128 bits are enough to distinguish messages.
  return hash('sha256', Buffer.concat([Buffer.from(`${subject}\n`), data]), 'base64url').slice(0, 22);
}

const recognised = new FoundInStream<true>();

/**
 * Whether this stream is the one that was read up to `position`: the message at its sequence must be the one that was
 * read. If it has expired, all remaining messages must be newer than it. A bus that lost its newest messages uses their
 * sequences again, so the sequence alone proves nothing.
 */
export async function isRecognised(bus: Bus, stream: StreamInfo, position: StreamPosition): Promise<boolean> {
  const { sequence, message, epoch } = position;
  const { first_seq: first, last_seq: last } = stream.state;
  if (sequence === 0) return epoch === streamEpoch(stream);
  if (sequence > last) return false;
  // The check that older versions made.
  if (message === undefined) return epoch === streamEpoch(stream);
  if (sequence < first) return isOlderThanAll(message, stream.state);
  const known = recognised.in(bus, stream);
  const mark = `${sequence} ${message.storedAt} ${message.digest}`;
  if (known.has(mark)) return true;
  const found = await bus.jsm.streams.getMessage(stream.config.name, { seq: sequence });
  if (found === null) {
    // It may have expired since the stream info was read.
    const { state } = await bus.jsm.streams.info(stream.config.name);
    return sequence < state.first_seq && isOlderThanAll(message, state);
  }
  const isSameTime = Math.abs(found.time.getTime() - message.storedAt) <= TIME_TOLERANCE_MS;
  const isSame = isSameTime && messageDigest(found.subject, found.data) === message.digest;
  if (isSame) known.set(mark, true);
  return isSame;
}

function isOlderThanAll({ storedAt }: MessageMark, { messages, first_ts: firstAt }: StreamState): boolean {
  return messages === 0 || Date.parse(firstAt) >= storedAt;
}
