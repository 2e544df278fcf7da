import { AckPolicy, DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import { OutageLog, type Logger } from '@ringdown/observability';
import { reasonOf, type Bus } from './bus.js';
import { ReadingLoop } from './reading-loop.js';

export interface DurableMessage {
  /** Messages of the stream that this reader has not been given yet. */
  readonly waiting: number;
  /** Throws when it is no JSON. */
  json(): unknown;
}

export interface DurableReaderOptions {
  readonly bus: Bus;
  readonly stream: string;
  /** Name under which the bus remembers what has been read, over restarts. Letters, digits and hyphens. */
  readonly name: string;
  readonly logger: Logger;
  /**
   * Called with one message after the other, without waiting for the one before. When it resolves, the message is done
   * with; when it rejects, or the process ends first, the message comes again.
   */
  handle(message: DurableMessage): Promise<void>;
}

/** Messages that may be in hand; the bus gives no more before one of them is done with. */
const MAX_IN_HAND = 64;
const ACKNOWLEDGE_MS = 30_000;
/** The bus forgets a reader that has not come back for so long. */
const FORGOTTEN_AFTER_MS = 7 * 86_400_000;

/**
 * Reads a stream from the moment on when this name was first used, each message at least once. How far it has come is
 * kept by the bus; {@link PartitionReader} is for readers whose own database knows that.
 */
export class DurableReader {
  private readonly loop: ReadingLoop;
  private readonly inHand = new Map<number, Promise<void>>();

  constructor(private readonly options: DurableReaderOptions) {
    const { name, logger } = options;
    const outage = new OutageLog({
      logger,
      failure: 'a stream cannot be read; trying again where the reading was',
      recovery: 'the stream is read again',
    });
    this.loop = new ReadingLoop({ name, outage, readOn: () => this.readOn() });
  }

  /** Resolves when the bus knows of this reader: what is stored from then on will be read. */
  async start(): Promise<void> {
    await this.ensureConsumer();
    this.loop.start();
  }

  /** Takes no more; resolves when what is in hand has been handled or given up. */
  async stop(): Promise<void> {
    await this.loop.stop();
    await Promise.all(this.inHand.values());
  }

  /** Messages of the stream that are not done with, those in hand too. */
  async notDone(): Promise<number> {
    const { bus, stream, name } = this.options;
    bus.assertConnected();
    const { num_pending: pending, num_ack_pending: inHand } = await bus.jsm.consumers.info(stream, name);
    return pending + inHand;
  }

  private async readOn(): Promise<void> {
    const { bus, stream, name } = this.options;
    await this.ensureConsumer();
    const consumer = await bus.js.consumers.get(stream, name);
    for await (const { message } of this.loop.messages(consumer, MAX_IN_HAND)) this.take(message);
  }

  private take(message: JsMsg): void {
    // After a lost connection the bus gives again what is still in hand here.
    if (this.loop.isStopping || this.inHand.has(message.seq)) return;
    const handled = this.handle(message).finally(() => this.inHand.delete(message.seq));
    this.inHand.set(message.seq, handled);
  }

  private async handle(message: JsMsg): Promise<void> {
    const stillAtIt = setInterval(() => message.working(), ACKNOWLEDGE_MS / 3);
    try {
      await this.options.handle({ waiting: message.info.pending, json: () => message.json() });
      message.ack();
    } catch (error) {
      this.options.logger.debug({ reader: this.options.name, reason: reasonOf(error) }, 'the message comes again');
      message.nak();
    } finally {
      clearInterval(stillAtIt);
    }
  }

  private async ensureConsumer(): Promise<void> {
    const { bus, stream, name } = this.options;
    const changeable = {
      ack_wait: nanos(ACKNOWLEDGE_MS),
      max_ack_pending: MAX_IN_HAND,
      inactive_threshold: nanos(FORGOTTEN_AFTER_MS),
    };
    const existing = await bus.jsm.consumers.info(stream, name).catch(() => undefined);
    if (existing === undefined) {
      const fixed = { durable_name: name, ack_policy: AckPolicy.Explicit, deliver_policy: DeliverPolicy.New };
      await bus.jsm.consumers.add(stream, { ...fixed, ...changeable });
    } else {
      await bus.jsm.consumers.update(stream, name, changeable);
    }
  }
}
