import { CALLS_CHANGED_SUBJECT } from '@ringdown/contracts/calls';
import { errorReason } from '@ringdown/errors';
import type { Bus } from '@ringdown/nats';
import type { Logger } from '@ringdown/observability';
import type { Call } from '../calls/call.js';
import { callJson } from '../calls/call-json.js';

/** Well below NATS' limit of one megabyte per message. */
const MAX_MESSAGE_CHARACTERS = 256 * 1_024;
const STORE_MS = 5_000;
const RETRY_MS = 1_000;
/** An empty list means: something may have been missed, read again. */
const READ_AGAIN = '{"calls":[]}';

/**
 * Publishes on the bus which calls have changed, in their new state, after the database has stored them. A stream keeps
 * the messages for returning subscribers. Publishing does not wait for the stream, but when the stream has not stored a
 * message, subscribers are notified as soon as possible that something was missed.
 */
export class CallsChangedPublisher {
  private readonly underWay = new Set<Promise<void>>();
  /** Calls of batches that were stored together, until all of these are known. */
  private waiting: Call[] = [];
  private sending: NodeJS.Immediate | undefined;
  /** False from a message that may not have been stored until all subscribers have been notified of that. */
  private isPublished = true;
  private failures = 0;
  private retry: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly bus: Bus,
    private readonly logger: Logger,
  ) {}

  /** In one message with the calls of other batches that were stored in the same moment. */
  publish(calls: readonly Call[]): void {
    this.waiting = this.waiting.concat(calls);
    this.sending ??= setImmediate(() => this.sendWaiting());
  }

  readAgain(): void {
    this.sendWaiting();
    this.send(READ_AGAIN);
  }

  /** Resolves when everything so far is stored, or with false when that is not known for a message. */
  async flush(): Promise<boolean> {
    this.sendWaiting();
    // What is repeated meanwhile would be waited for again and again, by each partition that is handed over.
    if (this.isPublished) await Promise.all(this.underWay);
    return this.isPublished;
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.retry);
  }

  private sendWaiting(): void {
    const calls = this.waiting;
    this.waiting = [];
    clearImmediate(this.sending);
    this.sending = undefined;
    let batch: string[] = [];
    let characters = 0;
    for (const json of calls.map(callJson)) {
      if (json.length > MAX_MESSAGE_CHARACTERS) {
        this.send(READ_AGAIN);
        continue;
      }
      if (characters + json.length > MAX_MESSAGE_CHARACTERS) {
        this.send(callsChangedMessage(batch));
        batch = [];
        characters = 0;
      }
      batch.push(json);
      characters += json.length;
    }
    if (batch.length > 0) this.send(callsChangedMessage(batch));
  }

  private send(body: string): void {
    const sending = this.store(body).catch((error: unknown) => this.missed(errorReason(error)));
    this.underWay.add(sending);
    void sending.finally(() => this.underWay.delete(sending));
  }

  private async store(body: string): Promise<void> {
    const { failures } = this;
    this.bus.assertConnected();
    await this.bus.js.publish(CALLS_CHANGED_SUBJECT, body, { timeout: STORE_MS });
    // It only covers what was missed before it.
    if (body === READ_AGAIN && failures === this.failures) this.isPublished = true;
  }

  /** The calls themselves are safe in the database. */
  private missed(reason: string): void {
    if (this.isPublished) this.logger.warn({ reason }, 'changed calls could not be published; trying again');
    this.isPublished = false;
    this.failures++;
    clearTimeout(this.retry);
    if (this.isClosed) return;
    this.retry = setTimeout(() => this.readAgain(), RETRY_MS).unref();
  }
}

function callsChangedMessage(calls: readonly string[]): string {
  return `{"calls":[${calls.join(',')}]}`;
}
