import { KeyedMutex, Mutex } from '@ringdown/concurrency';
import { callHash, partitionOfCall } from '@ringdown/contracts/records';
import type { DeadLetter } from '@ringdown/contracts/set-aside';
import { errorReason } from '@ringdown/errors';
import { readerName } from '@ringdown/contracts/readers';
import { DeadLetters, RequestedPlace } from '@ringdown/feed-bus';
import type { Bus } from '@ringdown/nats';
import { DurableReader, type DurableMessage } from '@ringdown/nats/reading';
import { OutageLog, type Logger } from '@ringdown/observability';
import { eachWithinTime } from '@ringdown/time-limit';
import { BackOff } from './back-off.js';
import type { Transport } from './transport.js';
import type { OutgoingItem, OutgoingRequest } from './outgoing.js';
import type { OneSubscriber } from './subscriber-metrics.js';
import type { SubscriberSettings } from './subscription.js';

export interface SubscriberOptions {
  readonly subscription: SubscriberSettings;
  readonly bus: Bus;
  readonly stream: string;
  readonly transport: Transport;
  readonly metrics: OneSubscriber;
  readonly logger: Logger;
  /** The items of one message; undefined if its form is unknown. */
  items(message: unknown): readonly OutgoingItem[] | undefined;
  /** Time limit for preparing one item. */
  readonly limitMs: number;
}

/** No messages are delivered to a receiver that accepts none, so the number of waiting messages must be polled. */
const POLL_WAITING_MS = 2_000;

/** The process stops: pending messages are delivered again to the next one. */
class Stopped extends Error {
  override readonly name = 'Stopped';
}

/**
 * One subscriber: messages it has not accepted wait on the bus, durably and bounded. Everything is sent at least once, and
 * everything about one call in order.
 */
export class Subscriber {
  private readonly reader: DurableReader;
  /** Calls are divided among as many keys as requests may be open, so that those of one call are sent in order. */
  private readonly sending = new KeyedMutex<number>();
  /** Messages are prepared in their order, before they are divided. */
  private readonly preparing = new Mutex();
  private readonly deadLetters: DeadLetters;
  private readonly backOff: BackOff;
  private readonly outage: OutageLog;
  private readonly stopping = new AbortController();
  private polling: NodeJS.Timeout | undefined;

  constructor(private readonly options: SubscriberOptions) {
    const { bus, stream, logger, subscription } = options;
    const { name, maxdelaylimit, maxbackoff } = subscription;
    this.deadLetters = new DeadLetters(bus);
    this.backOff = new BackOff({ failuresBeforeBackOff: maxdelaylimit, mostSeconds: maxbackoff });
    this.outage = new OutageLog({
      logger,
      failure: 'subscriber not reachable or rejecting requests, retrying',
      recovery: 'subscriber accepts requests again',
      about: { subscriber: name },
    });
    const handle = (message: DurableMessage): Promise<void> => this.process(message);
    const reader = readerName(name);
    const place = bus.hasJetStream ? undefined : new RequestedPlace({ bus, stream, reader });
    this.reader = new DurableReader({ bus, stream, name: reader, logger, handle, place });
  }

  get name(): string {
    return this.options.subscription.name;
  }

  /** The stream that it reads. */
  get stream(): string {
    return this.options.stream;
  }

  /** Resolves when no later message can be missed. */
  async start(): Promise<void> {
    await this.reader.start();
    this.polling = setInterval(() => void this.reportWaiting(), POLL_WAITING_MS);
  }

  /** Waits for pending requests. */
  async stop(): Promise<void> {
    clearInterval(this.polling);
    this.stopping.abort();
    await this.reader.stop();
    this.options.transport.close();
  }

  private async process(message: DurableMessage): Promise<void> {
    const { metrics, subscription } = this.options;
    const items = this.read(message);
    if (items === undefined) return metrics.dropped('unreadable');
    const sent = await this.preparing.runExclusive(async () => {
      const outgoing = await this.prepare(items, message);
      if (message.waiting < subscription.submitqueuelen)
        return outgoing.map((each) => {
          const key = callHash(each.callKey) % subscription.maxopen;
          return this.sending.runExclusive(key, () => this.deliver(each));
        });
      metrics.dropped('queue', outgoing.length);
      return [];
    });
    const outcomes = await Promise.allSettled(sent);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** The metric keeps its value while the bus is not reachable. */
  private async reportWaiting(): Promise<void> {
    const waiting = await this.reader.unacknowledged().catch(() => undefined);
    if (waiting !== undefined) this.options.metrics.setWaiting(waiting);
  }

  /** An item that cannot be prepared within the time limit is set aside, for this subscriber only; the next ones continue. */
  private async prepare(
    items: readonly OutgoingItem[],
    { sequence }: DurableMessage,
  ): Promise<readonly OutgoingRequest[]> {
    const outcomes = await eachWithinTime(this.options.limitMs, items, (item) => item.outgoing());
    for (const [index, item] of items.entries()) {
      const outcome = outcomes[index];
      if (outcome?.ok === false) await this.setAside(item, sequence, outcome.error);
    }
    return outcomes.flatMap((outcome) => (outcome.ok ? outcome.value : []));
  }

  /** Rejects when the bus does not store it: then the message is delivered again. */
  private async setAside({ callId, content }: OutgoingItem, sequence: number, error: unknown): Promise<void> {
    const { logger, metrics, subscription } = this.options;
    const reason = `for the subscriber ${subscription.name}: ${errorReason(error)}`;
    const partition = partitionOfCall(callId);
    const code = 'unsendable-record';
    const letter: DeadLetter = { v: 1, setAsideAt: Date.now(), partition, sequence, code, reason, content };
    await this.deadLetters.put(letter, subscription.name);
    metrics.dropped('set_aside');
    logger.error(
      { subscriber: subscription.name, reason },
      'a message for a subscriber cannot be prepared, set aside as a dead letter',
    );
  }

  private read(message: DurableMessage): readonly OutgoingItem[] | undefined {
    try {
      return this.options.items(message.json());
    } catch (error) {
      const { logger, subscription } = this.options;
      logger.error({ err: error, subscriber: subscription.name }, 'a message of the bus cannot be read');
      return undefined;
    }
  }

  private async deliver(outgoing: OutgoingRequest): Promise<void> {
    const { transport, metrics, subscription } = this.options;
    for (let retries = 0; ; retries++) {
      await this.backOff.ready(this.stopping.signal);
      if (this.stopping.signal.aborted) throw new Stopped();
      const startedAt = performance.now();
      const sent = await transport.send(outgoing);
      if (sent.ok) {
        this.onSuccess();
        return metrics.delivered((performance.now() - startedAt) / 1_000);
      }
      this.failed(sent.reason, startedAt, sent.retryAfterMs);
      if (retries >= subscription.maxretry) return metrics.dropped('retries');
      metrics.retried();
    }
  }

  private onSuccess(): void {
    this.outage.succeeded(this.options.subscription.name);
    this.backOff.succeeded();
    this.options.metrics.setFailing(false);
  }

  private failed(reason: string, startedAt: number, retryAfterMs: number | undefined): void {
    this.outage.failed(this.options.subscription.name, reason);
    this.backOff.failed(startedAt, retryAfterMs);
    this.options.metrics.setFailing(true);
  }
}
