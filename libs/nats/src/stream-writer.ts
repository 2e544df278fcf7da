import { JetStreamApiError } from '@nats-io/jetstream';
import { createInbox, headers, type Msg } from '@nats-io/transport-node';
import { reasonOf } from '@ringdown/errors';
import type { Bus } from './bus.js';

/** A message that was sent but is not acknowledged yet. */
interface Sent {
  readonly timer: NodeJS.Timeout;
  resolve(sequence: number): void;
  reject(error: Error): void;
}

export interface MessageToStore {
  readonly subject: string;
  readonly body: string | Uint8Array;
  /** The same on every attempt, so that a message whose acknowledgement got lost is stored once. */
  readonly id?: string;
  /** The message is stored only if the last one of its subject has this number. */
  readonly lastOfSubject?: number;
  /** How long to wait for the acknowledgement, milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Stores messages in JetStream and receives all acknowledgements on one inbox. The client library creates several
 * promises and an error with its stack for each message, even on success (ADR 0027).
 */
export class StreamWriter {
  private readonly inbox: string;
  private readonly sent = new Map<string, Sent>();
  private tries = 0;
  private listens = false;

  /** The one that all buckets and publishers of a process share. */
  static of(bus: Bus): StreamWriter {
    const known = shared.get(bus) ?? new StreamWriter(bus);
    shared.set(bus, known);
    return known;
  }

  constructor(private readonly bus: Bus) {
    this.inbox = `${createInbox(bus.login.options().inboxPrefix)}.`;
  }

  /**
   * Resolves with the number of the message when a stream has stored it. Rejects when it has not, with the error of the
   * stream if there is one, or when no reply comes in time.
   */
  store(message: MessageToStore): Promise<number> {
    return new Promise((resolve, reject) => {
      this.listen();
      const token = String(++this.tries);
      const timer = setTimeout(() => this.fail(token, new Error('no acknowledgement in time')), message.timeoutMs);
      this.sent.set(token, { timer, resolve, reject });
      this.bus.outbox.send(() => this.send(message, token)).catch((error: Error) => this.fail(token, error));
    });
  }

  private send({ subject, body, id, lastOfSubject }: MessageToStore, token: string): void {
    const header = headers();
    if (id !== undefined) header.set('Nats-Msg-Id', id);
    if (lastOfSubject !== undefined) header.set('Nats-Expected-Last-Subject-Sequence', String(lastOfSubject));
    this.bus.connection.publish(subject, body, { reply: this.inbox + token, headers: header });
  }

  private listen(): void {
    if (this.listens) return;
    const { connection } = this.bus;
    const subscription = connection.subscribe(`${this.inbox}*`, {
      callback: (error, message) => (error ? this.failAll(error) : this.onReply(message)),
    });
    this.listens = true;
    const ended = (error?: unknown): void => {
      this.listens = false;
      this.failAll(
        new Error(`acknowledgements are not received any more: ${reasonOf(error ?? 'the connection is closed')}`),
      );
    };
    subscription.closed.then(() => ended(), ended);
  }

  private onReply(message: Msg): void {
    const sent = this.removeSent(message.subject.slice(this.inbox.length));
    // The acknowledgement of an attempt that has timed out.
    if (sent === undefined) return;
    const outcome = outcomeOf(message);
    if (typeof outcome === 'number') sent.resolve(outcome);
    else sent.reject(outcome);
  }

  private fail(token: string, error: Error): void {
    this.removeSent(token)?.reject(error);
  }

  /** Removes a message from those that wait, whatever its outcome. */
  private removeSent(token: string): Sent | undefined {
    const sent = this.sent.get(token);
    clearTimeout(sent?.timer);
    this.sent.delete(token);
    return sent;
  }

  private failAll(error: Error): void {
    for (const token of this.sent.keys()) this.fail(token, error);
  }
}

const shared = new WeakMap<Bus, StreamWriter>();

/** The number that the message has in its stream, or why it was not stored. */
function outcomeOf(message: Msg): number | Error {
  // The reply of the server itself when the subject has no subscriber: it has no body.
  if (message.data.length === 0) return new Error('no stream stores the message');
  try {
    const answer: unknown = message.json();
    if (typeof answer !== 'object' || answer === null) return new Error('the reply is not an acknowledgement');
    if ('error' in answer) return rejectionOf(answer.error);
    if ('stream' in answer && 'seq' in answer && typeof answer.seq === 'number') return answer.seq;
    return new Error('the reply is not an acknowledgement');
  } catch (error) {
    return new Error('the acknowledgement is not JSON', { cause: error });
  }
}

function rejectionOf(error: unknown): Error {
  const { code, err_code, description } = Object(error);
  if (typeof description !== 'string') return new Error('the stream rejected the message without a reason');
  return new JetStreamApiError({ code: Number(code), err_code: Number(err_code), description });
}
