import {
  ClosedConnectionError,
  createInbox,
  DrainingConnectionError,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  type PermissionViolationError,
} from '@nats-io/transport-node';
import { errorReason } from '@ringdown/errors';
import type { BusLogin } from './bus-login.js';
import type { Outbox } from './streams/outbox.js';

export interface Question {
  readonly subject: string;
  readonly body: string | Uint8Array;
  readonly headers?: MsgHdrs;
  readonly timeoutMs: number;
  /** The error when no reply arrives in time. */
  readonly late: () => Error;
}

/** What questions are sent with: the connection, its user, and its queue of messages. */
export interface QuestionSender {
  readonly connection: NatsConnection;
  readonly login: BusLogin;
  readonly outbox: Outbox;
}

/** A question that was sent but has no reply yet. */
interface Waiting {
  readonly subject: string;
  readonly timer: NodeJS.Timeout;
  resolve(reply: Msg): void;
  reject(error: Error): void;
}

/**
 * Receives the replies to all questions of a connection on one inbox. The client library creates several promises and an
 * error with its stack for each of them, even on success (ADR 0027).
 */
export class Replies {
  private inbox = '';
  private readonly waiting = new Map<string, Waiting>();
  private questions = 0;
  private listens = false;

  constructor(private readonly sender: QuestionSender) {}

  /**
   * Sends a question at the end of this turn. Rejects when no reply comes in time, when the connection ends, and when the
   * question may not be sent.
   */
  to({ subject, body, timeoutMs, late, ...options }: Question): Promise<Msg> {
    return new Promise((resolve, reject) => {
      const ask = (): void => {
        this.listen();
        const token = String(++this.questions);
        this.sender.connection.publish(subject, body, { ...options, reply: this.inbox + token });
        // From now on: a question that has waited to be sent is not late for that.
        const timer = setTimeout(() => this.fail(token, late()), timeoutMs);
        this.waiting.set(token, { subject, timer, resolve, reject });
      };
      this.sender.outbox.send(ask).catch(reject);
    });
  }

  /** What was sent to this subject gets no reply: the user of the connection may not publish there. */
  denied(error: PermissionViolationError): void {
    if (error.operation !== 'publish') return;
    for (const [token, { subject }] of this.waiting) {
      if (subject === error.subject) this.fail(token, error);
    }
  }

  /** Throws when the connection ends: the reply would not arrive any more. */
  private listen(): void {
    const { connection, login } = this.sender;
    if (connection.isClosed()) throw new ClosedConnectionError();
    if (connection.isDraining()) throw new DrainingConnectionError();
    if (this.listens) return;
    this.inbox = `${createInbox(login.options().inboxPrefix)}.`;
    const subscription = connection.subscribe(`${this.inbox}*`, {
      callback: (error, message) => (error ? this.failAll(error) : this.onReply(message)),
    });
    this.listens = true;
    const ended = (error?: unknown): void => {
      this.listens = false;
      this.failAll(new Error(`replies are not received any more: ${errorReason(error ?? 'the connection is closed')}`));
    };
    subscription.closed.then(ended, ended);
  }

  private onReply(reply: Msg): void {
    // Nothing waits when the question has timed out before.
    this.remove(reply.subject.slice(this.inbox.length))?.resolve(reply);
  }

  private fail(token: string, error: Error): void {
    this.remove(token)?.reject(error);
  }

  private failAll(error: Error): void {
    for (const token of this.waiting.keys()) this.fail(token, error);
  }

  /** Removes a question from those that wait, whatever its outcome. */
  private remove(token: string): Waiting | undefined {
    const waiting = this.waiting.get(token);
    clearTimeout(waiting?.timer);
    this.waiting.delete(token);
    return waiting;
  }
}

/** The reply of the server itself when nothing subscribes to the subject. */
export function hasNoSubscriber(reply: Msg): boolean {
  return reply.data.length === 0 && reply.headers?.code === 503;
}
