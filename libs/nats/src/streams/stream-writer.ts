import { JetStreamApiError } from '@nats-io/jetstream';
import { headers, type Msg } from '@nats-io/transport-node';
import type { Bus } from '../bus.js';

export interface MessageToStore {
  readonly subject: string;
  readonly body: string | Uint8Array;
  /** The same on every attempt, so that a message whose acknowledgement got lost is stored once. */
  readonly id?: string;
  /** The message is stored only if the last one of its subject has this number. */
  readonly lastOfSubject?: number;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How long to wait for the acknowledgement, milliseconds. */
  readonly timeoutMs: number;
}

/** What a stream has stored. */
export interface StoredMessage {
  readonly sequence: number;
  /** It was there before, or another message with its id. */
  readonly isDuplicate: boolean;
}

/** The server's own answer: no stream has the subject, or none that the account of the connection reaches. */
export class NoStreamStores extends Error {
  override readonly name = 'NoStreamStores';

  constructor() {
    super('no stream stores the message');
  }
}

/** Stores messages in JetStream. */
export class StreamWriter {
  constructor(private readonly bus: Bus) {}

  /**
   * Resolves with the number of the message when a stream has stored it. Rejects when it has not, with the error of the
   * stream if there is one, or when no reply comes in time.
   */
  async store(message: MessageToStore): Promise<number> {
    return (await this.storeOnce(message)).sequence;
  }

  /** As {@link store}, for a message whose id others may use. */
  async storeOnce(message: MessageToStore): Promise<StoredMessage> {
    const { subject, body, id, lastOfSubject, timeoutMs } = message;
    const header = headers();
    for (const [name, value] of Object.entries(message.headers ?? {})) header.set(name, value);
    if (id !== undefined) header.set('Nats-Msg-Id', id);
    if (lastOfSubject !== undefined) header.set('Nats-Expected-Last-Subject-Sequence', String(lastOfSubject));
    const outcome = storageOutcome(await this.bus.replies.to({ subject, body, headers: header, timeoutMs, late }));
    if (outcome instanceof Error) throw outcome;
    return outcome;
  }
}

function late(): Error {
  return new Error('no acknowledgement in time');
}

/** Where the message is in its stream, or why it was not stored. */
function storageOutcome(message: Msg): StoredMessage | Error {
  // The reply of the server itself when the subject has no subscriber: it has no body.
  if (message.data.length === 0) return new NoStreamStores();
  try {
    const answer: unknown = message.json();
    if (typeof answer !== 'object' || answer === null) return new Error('the reply is not an acknowledgement');
    if ('error' in answer) return streamRejection(answer.error);
    if ('stream' in answer && 'seq' in answer && typeof answer.seq === 'number') {
      return { sequence: answer.seq, isDuplicate: 'duplicate' in answer && answer.duplicate === true };
    }
    return new Error('the reply is not an acknowledgement');
  } catch (error) {
    return new Error('the acknowledgement is not JSON', { cause: error });
  }
}

function streamRejection(error: unknown): Error {
  const { code, err_code, description } = Object(error);
  if (typeof description !== 'string') return new Error('the stream rejected the message without a reason');
  return new JetStreamApiError({ code: Number(code), err_code: Number(err_code), description });
}

/** Another one was written, or is being written: the leader of a cluster then does not know its number yet. */
const CONFLICTS: readonly number[] = [10_071, 10_164];

/** Undefined when the write was rejected because another one was faster. */
export async function unlessConflict<R>(write: Promise<R>): Promise<R | undefined> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof JetStreamApiError && CONFLICTS.includes(error.code)) return undefined;
    throw error;
  }
}
