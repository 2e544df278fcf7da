import { CALL_CHANGES_STREAM } from './calls.js';
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

export function readerName(subscriber: string): string {
  return `subscriber-${subscriber.toLowerCase()}`;
}

type Fields = Partial<Record<string, unknown>>;

/** Throws for a request that is not about a reader of a subscriber. */
export function readReadersEnsureRequest(value: unknown): ReadersEnsureRequest {
  const { stream, reader, since, newest, action }: Fields = { ...Object(value) };
  const isRequest =
    typeof stream === 'string' &&
    STREAMS.includes(stream) &&
    typeof reader === 'string' &&
    NAME.test(reader) &&
    typeof since === 'number' &&
    Number.isSafeInteger(since) &&
    (action === 'check' || action === 'restart' || action === 'store');
  if (!isRequest) throw new Error('not a request for the place of a subscriber');
  return { stream, reader, since, action, ...(newest === undefined ? {} : { newest: parseReaderPosition(newest) }) };
}

export function readReadersEnsureReply(value: unknown): ReadersEnsureReply {
  const { place }: Fields = { ...Object(value) };
  if (place !== 'ready' && place !== 'shorter') throw new Error('the reply about the place has an unknown format');
  return { place };
}

function parseReaderPosition(value: unknown): ReaderPosition {
  const { epoch, sequence, message }: Fields = { ...Object(value) };
  if (typeof epoch !== 'string' || typeof sequence !== 'number') throw new Error('not the position of a reader');
  if (message === undefined) return { epoch, sequence };
  const { digest, storedAt }: Fields = { ...Object(message) };
  if (typeof digest !== 'string' || typeof storedAt !== 'number') throw new Error('not the position of a reader');
  return { epoch, sequence, message: { digest, storedAt } };
}
