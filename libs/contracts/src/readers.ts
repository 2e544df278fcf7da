import { CALL_CHANGES_STREAM } from './calls.js';
import { isText, isTime, isWhole, type Untrusted } from './foreign-json.js';
import { RECORDS_STREAM } from './records.js';

/**
 * Request and reply: a subscriber reads a stream of the feed from a place that the aggregator stores for it, because only
 * the owner of a stream may create consumers of it.
 */
export const READERS_ENSURE_PATTERN = 'ringdown.readers.ensure';

/** How far a reader has come, and how the stream is recognised. */
export interface ReaderPosition {
  readonly epoch: string;
  readonly sequence: number;
  readonly message?: { readonly digest: string; readonly storedAt: number };
}

export interface ReadersEnsureRequest {
  readonly stream: string;
  readonly reader: string;
  /** A new reader gets what was stored since then, milliseconds since 1970. */
  readonly since: number;
  /** The newest message that it was given. */
  readonly newest?: ReaderPosition;
  /** `store` only stores `newest`; `restart` may continue after what the stream has lost. */
  readonly action: 'check' | 'restart' | 'store';
}

export interface ReadersEnsureReply {
  /** `shorter`: the stream has lost messages that were read; nothing was changed. */
  readonly place: 'ready' | 'shorter';
}

/** The streams that subscribers may read. */
const STREAMS: readonly unknown[] = [RECORDS_STREAM, CALL_CHANGES_STREAM];
const NAME = /^subscriber-[\w-]{1,200}$/;
/** Marks of streams and messages are stored with the consumer. */
const MARK_CHARACTERS = 255;

export function readerName(subscriber: string): string {
  return `subscriber-${subscriber.toLowerCase()}`;
}

/** Throws for a request that is not about a reader of a subscriber. */
export function readReadersEnsureRequest(value: unknown): ReadersEnsureRequest {
  const { stream, reader, since, newest, action }: Untrusted = { ...Object(value) };
  const isRequest =
    typeof stream === 'string' &&
    STREAMS.includes(stream) &&
    typeof reader === 'string' &&
    NAME.test(reader) &&
    isTime(since) &&
    Number.isSafeInteger(since) &&
    (action === 'check' || action === 'restart' || action === 'store');
  if (!isRequest) throw new Error('not a request for the place of a subscriber');
  return { stream, reader, since, action, ...(newest === undefined ? {} : { newest: parseReaderPosition(newest) }) };
}

export function readReadersEnsureReply(value: unknown): ReadersEnsureReply {
  const { place }: Untrusted = { ...Object(value) };
  if (place !== 'ready' && place !== 'shorter') throw new Error('the reply about the place has an unknown format');
  return { place };
}

function parseReaderPosition(value: unknown): ReaderPosition {
  const { epoch, sequence, message }: Untrusted = { ...Object(value) };
  if (!isMark(epoch) || !isWhole(sequence, Number.MAX_SAFE_INTEGER)) throw new Error('not the position of a reader');
  if (message === undefined) return { epoch, sequence };
  const { digest, storedAt }: Untrusted = { ...Object(message) };
  if (!isMark(digest) || !isTime(storedAt)) throw new Error('not the position of a reader');
  return { epoch, sequence, message: { digest, storedAt } };
}

function isMark(value: unknown): value is string {
  return isText(value, 1, MARK_CHARACTERS);
}
