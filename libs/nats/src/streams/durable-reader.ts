import type { JsMsg } from '@nats-io/jetstream';
import { errorReason } from '@ringdown/errors';
import { OutageLog, type Logger } from '@ringdown/observability';
import type { Bus } from '../bus.js';
import { DurableConsumer, MAX_IN_PROGRESS, type ReaderPlace } from './durable-consumer.js';
import { messageMark, type StreamPosition } from './position.js';
import { ReadingLoop } from './reading-loop.js';
import { streamEpoch } from './streams.js';

export interface DurableMessage {
  /** Sequence of the message in its stream. */
  readonly sequence: number;
  /** Messages of the stream that are not delivered to this reader yet. */
  readonly waiting: number;
  /** Throws when the body is not JSON. */
  json(): unknown;
}

export interface DurableReaderOptions {
  readonly bus: Bus;
  readonly stream: string;
  /** Name under which the bus stores the position of the reader, over restarts. Letters, digits and hyphens. */
  readonly name: string;
  readonly logger: Logger;
  /**
   * Called with one message after the other, without waiting for the one before. When it resolves, the message is
   * acknowledged; when it rejects, or the process ends first, the message is delivered again.
   */
  handle(message: DurableMessage): Promise<void>;
  /** If the reader does not report progress on a message for so long, the bus delivers the message again. */
  readonly acknowledgeMs?: number;
  /** Where another service stores the position; if left out, this one does. */
  readonly place?: ReaderPlace | undefined;
}

const ACKNOWLEDGE_MS = 30_000;
/** Until a message that could not be handled is delivered again: what it needs may be down for long. */
const RETRY_MS = 1_000;
/** After a crash, messages delivered within this time may be missing from the stored position. */
const STORE_NEWEST_MS = 5_000;

/**
 * Reads a stream from the moment when this name was first used, each message at least once. The bus stores the
 * position; a reader that stores the position in its own database uses {@link ReadingLoop}.
 */
export class DurableReader {
  private readonly loop: ReadingLoop;
  private readonly inProgress = new Map<number, Promise<void>>();
  /** The newest delivered message. */
  private newest: StreamPosition | undefined;
  private readonly acknowledgeMs: number;
  private readonly place: ReaderPlace;
  private storeTimer: NodeJS.Timeout | undefined;
  /** Sequence of the newest message that is stored on the bus as delivered. */
  private storedSequence = 0;

  constructor(private readonly options: DurableReaderOptions) {
    const { bus, stream, name, logger, acknowledgeMs = ACKNOWLEDGE_MS, place } = options;
    this.acknowledgeMs = acknowledgeMs;
    this.place = place ?? new DurableConsumer({ bus, stream, name, acknowledgeMs });
    const outage = new OutageLog({
      logger,
      failure: 'a stream cannot be read; retrying from the last position',
      recovery: 'the stream can be read again',
    });
    this.loop = new ReadingLoop({ bus, name, outage, readOn: () => this.readOn() });
  }

  /**
   * Resolves when the bus has stored this reader: messages stored from then on will be delivered. With a place of another
   * service, which may not run yet, at once.
   */
  async start(): Promise<void> {
    if (this.options.place === undefined) await this.ensurePlace();
    this.loop.start();
    this.storeTimer = setInterval(() => void this.storeNewest(), STORE_NEWEST_MS);
  }

  /** Stops reading; resolves when the messages in progress are handled or given up. */
  async stop(): Promise<void> {
    clearInterval(this.storeTimer);
    await this.loop.stop();
    await Promise.all(this.inProgress.values());
    await this.storeNewest();
  }

  /** Messages of the stream that are not acknowledged, including those in progress. */
  async unacknowledged(): Promise<number> {
    const { bus, stream, name } = this.options;
    bus.assertConnected();
    const { num_pending: pending, num_ack_pending: inProgress } = await bus.jsm.consumers.info(stream, name);
    return pending + inProgress;
  }

  private async readOn(): Promise<void> {
    const { bus, stream, name } = this.options;
    await this.ensurePlace();
    const consumer = await bus.js.consumers.get(stream, name);
    const epoch = streamEpoch(await bus.jsm.streams.info(stream));
    for await (const { message } of this.loop.messages(consumer, MAX_IN_PROGRESS)) {
      if (message.seq > (this.newest?.sequence ?? 0)) {
        this.newest = { epoch, sequence: message.seq, message: messageMark(message) };
      }
      this.accept(message);
    }
  }

  private accept(message: JsMsg): void {
    // After a lost connection the bus delivers again what is still in progress here.
    if (this.loop.isStopping || this.inProgress.has(message.seq)) return;
    const handled = this.handle(message).finally(() => this.inProgress.delete(message.seq));
    this.inProgress.set(message.seq, handled);
  }

  private async handle(message: JsMsg): Promise<void> {
    const progressTimer = setInterval(() => message.working(), this.acknowledgeMs / 3);
    try {
      await this.options.handle({ sequence: message.seq, waiting: message.info.pending, json: () => message.json() });
      message.ack();
    } catch (error) {
      this.options.logger.debug(
        { reader: this.options.name, reason: errorReason(error) },
        'a message could not be handled; it will be delivered again',
      );
      message.nak(this.loop.isStopping ? 0 : RETRY_MS);
    } finally {
      clearInterval(progressTimer);
    }
  }

  /** For the next process: while none runs, the bus may lose messages that were read and use their sequences again. */
  private async storeNewest(): Promise<void> {
    const { newest, options } = this;
    const { bus, name, logger } = options;
    if (newest === undefined || newest.sequence === this.storedSequence) return;
    try {
      bus.assertConnected();
      await this.place.store(newest);
      this.storedSequence = newest.sequence;
    } catch (error) {
      // A server before 2.10 cannot store it.
      logger.debug(
        { reader: name, reason: errorReason(error) },
        'the position of the newest message could not be stored',
      );
    }
  }

  private async ensurePlace(): Promise<void> {
    if ((await this.place.ensure(this.newest, false)) === 'ready') return;
    // They would acknowledge the new messages that now have their sequences.
    await Promise.all(this.inProgress.values());
    await this.place.ensure(this.newest, true);
    this.newest = undefined;
  }
}
