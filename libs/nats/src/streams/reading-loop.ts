import type { Consumer, ConsumerMessages, JsMsg, StreamState } from '@nats-io/jetstream';
import { errorReason } from '@ringdown/errors';
import type { Logger, OutageLog } from '@ringdown/observability';
import type { Bus } from '../bus.js';

/** Messages in the order of a stream, until it is stopped or what delivers them is lost. */
export interface Reading extends AsyncIterable<JsMsg> {
  /** Whether the next message is here already. */
  isMoreHere(): boolean;
  stop(): void;
}

export interface ReadMessage {
  readonly message: JsMsg;
  readonly isMoreHere: () => boolean;
}

export interface ReadingLoopOptions {
  readonly bus: Bus;
  /** The name of the reader in the shared log. */
  readonly name: number | string;
  readonly outage: OutageLog;
  /** Reads until it fails: finds its position and iterates over {@link ReadingLoop.messages}. */
  readOn(): Promise<void>;
}

/** How many messages the bus may send ahead; fewer if they are large. */
const MOST_AHEAD = 200;
const LEAST_AHEAD = 16;
const BYTES_AHEAD = 16 * 1_024 * 1_024;

/**
 * Messages that may be under way to a reader of this stream. JetStream has a limit in bytes, too, but a message that
 * does not fit into what is left of it stops the delivery until a heartbeat is missed.
 */
export function messagesAhead({ messages, bytes }: Pick<StreamState, 'messages' | 'bytes'>, most = MOST_AHEAD): number {
  const fit = messages === 0 ? most : Math.floor(BYTES_AHEAD / (bytes / messages));
  return Math.min(Math.max(fit, LEAST_AHEAD), most);
}

const RETRY_MS = 500;
/** A reader without a failure for so long counts as working. */
const WORKS_AFTER_MS = 5_000;

/** Reads a stream from the position of its reader, again after each failure, until it is stopped. */
export class ReadingLoop {
  private stopping = false;
  private current: Reading | undefined;
  /** Since this reading began, the stream may have been replaced or shortened. */
  private isUncertain = false;
  private unfollow: (() => void) | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly options: ReadingLoopOptions) {}

  get isStopping(): boolean {
    return this.stopping;
  }

  /** Continues at the position of the reader, if it was stopped. */
  start(): void {
    this.stopping = false;
    // The client would continue by itself at the next sequence, whichever message the bus has there now.
    this.unfollow ??= this.options.bus.onDisconnect(() => this.restart());
    this.running = this.run();
  }

  /** Waits for the message in progress. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.current?.stop();
    await this.running;
    this.unfollow?.();
    this.unfollow = undefined;
    this.options.outage.remove(this.options.name);
  }

  /** Ends this reading; the next one begins at the current position of the reader. */
  restart(): void {
    this.isUncertain = true;
    this.current?.stop();
  }

  /** To be called when the reader has finished what it was processing. */
  works(): void {
    this.options.outage.succeeded(this.options.name);
  }

  /** Messages until the reading is stopped or what delivers them is lost. `ahead`: how many may be under way. */
  async *messages(consumer: Consumer, ahead: number): AsyncGenerator<ReadMessage> {
    yield* this.messagesOf(await consume(consumer, ahead));
  }

  async *messagesOf(reading: Reading): AsyncGenerator<ReadMessage> {
    this.current = reading;
    const works = setTimeout(() => this.works(), WORKS_AFTER_MS);
    try {
      if (this.stopping || this.isUncertain) reading.stop();
      for await (const message of reading) {
        if (this.isUncertain) return;
        yield { message, isMoreHere: () => reading.isMoreHere() };
      }
    } finally {
      clearTimeout(works);
      reading.stop();
    }
  }

  /** Deletes a consumer that is not needed after its reading. */
  drop(consumer: Consumer, logger: Logger): Promise<void> {
    return dropConsumer(this.options.bus, consumer, logger);
  }

  private async run(): Promise<void> {
    const { bus, name, outage } = this.options;
    while (!this.stopping) {
      this.isUncertain = false;
      try {
        // A request to a disconnected bus is not answered after the reconnect either, only rejected after its timeout.
        bus.assertConnected();
        await this.options.readOn();
      } catch (error) {
        outage.failed(name, errorReason(error), { reader: name });
      }
      if (!this.stopping) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** `ahead`: how many messages may be under way. */
export async function consume(consumer: Consumer, ahead: number): Promise<Reading> {
  const messages = await consumer.consume({ expires: 5_000, max_messages: ahead });
  void stopWhenLost(messages);
  return {
    [Symbol.asyncIterator]: () => messages[Symbol.asyncIterator](),
    // `getPending` of the library counts its own requests and may stay above 0.
    isMoreHere: () => messages.getReceived() > messages.getProcessed(),
    stop: () => messages.stop(),
  };
}

export async function dropConsumer(bus: Bus, consumer: Consumer, logger: Logger): Promise<void> {
  try {
    // A disconnected bus deletes it by itself, and waiting for its reply would block the reading.
    bus.assertConnected();
    await consumer.delete();
  } catch (error) {
    logger.debug({ reason: errorReason(error) }, 'the consumer could not be deleted');
  }
}

/** Signs that the consumer no longer reads the stream it was made for. */
const LOST = new Set([
  'heartbeats_missed',
  'stream_not_found',
  'consumer_not_found',
  'consumer_deleted',
  'no_responders',
]);

/** Ends the reading, so that the next one checks the stream: it may have been recreated meanwhile. */
async function stopWhenLost(messages: ConsumerMessages): Promise<void> {
  for await (const status of messages.status()) {
    if (LOST.has(status.type)) messages.stop();
  }
}
