import type { Consumer, ConsumerMessages, JsMsg, StreamState } from '@nats-io/jetstream';
import { reasonOf } from '@ringdown/errors';
import type { Logger, OutageLog } from '@ringdown/observability';
import type { Bus } from './bus.js';

export interface ReadingLoopOptions {
  readonly bus: Bus;
  /** Who reads, among those that share the log. */
  readonly name: number | string;
  readonly outage: OutageLog;
  /** Reads until it cannot any more: looks where it stands, gets a consumer and takes its {@link ReadingLoop.messages}. */
  readOn(): Promise<void>;
}

/** What the bus may send before it is asked for: so many messages, and fewer where they are large. */
const MOST_AHEAD = 200;
const LEAST_AHEAD = 16;
const BYTES_AHEAD = 16 * 1_024 * 1_024;

/**
 * Messages that may be under way to a reader of this stream. JetStream has a limit in bytes, too, but a message that
 * does not fit into what is left of it stops the reading until a heartbeat is missed.
 */
export function messagesAhead({ messages, bytes }: Pick<StreamState, 'messages' | 'bytes'>): number {
  const fit = messages === 0 ? MOST_AHEAD : Math.floor(BYTES_AHEAD / (bytes / messages));
  return Math.min(Math.max(fit, LEAST_AHEAD), MOST_AHEAD);
}

const RETRY_MS = 500;
/** A reader for whom nothing has failed for so long works. */
const WORKS_AFTER_MS = 5_000;

/** Reads a stream again and again from where its reader stands, until it is stopped. */
export class ReadingLoop {
  private stopping = false;
  private current: ConsumerMessages | undefined;
  /** Since this reading began, the stream may have become another. */
  private isUncertain = false;
  private unfollow: (() => void) | undefined;
  private running: Promise<void> | undefined;

  constructor(private readonly options: ReadingLoopOptions) {}

  get isStopping(): boolean {
    return this.stopping;
  }

  /** Goes on where the reader is, if it has been stopped. */
  start(): void {
    this.stopping = false;
    // The client would go on by itself at the sequence that comes next, whatever the bus has there now.
    this.unfollow ??= this.options.bus.onDisconnect(() => this.lookAgain());
    this.running = this.run();
  }

  /** Waits for what is in hand. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.current?.stop();
    await this.running;
    this.unfollow?.();
    this.unfollow = undefined;
    this.options.outage.left(this.options.name);
  }

  /** Ends this reading and begins the next one with a look where it stands. */
  lookAgain(): void {
    this.isUncertain = true;
    this.current?.stop();
  }

  /** What the reader has in hand is done with. */
  works(): void {
    this.options.outage.worked(this.options.name);
  }

  /** Messages until the reading is stopped, or the consumer is no longer what it was. `ahead`: how many may be under way. */
  async *messages(consumer: Consumer, ahead: number): AsyncGenerator<{ message: JsMsg; isMoreHere: () => boolean }> {
    const messages = await consumer.consume({ expires: 5_000, max_messages: ahead });
    this.current = messages;
    const works = setTimeout(() => this.works(), WORKS_AFTER_MS);
    try {
      if (this.stopping || this.isUncertain) messages.stop();
      void leaveWhenLost(messages);
      for await (const message of messages) {
        if (this.isUncertain) return;
        yield { message, isMoreHere: () => isMoreHere(messages) };
      }
    } finally {
      clearTimeout(works);
      messages.stop();
    }
  }

  /** Ends a consumer that lives no longer than its reading. */
  async drop(consumer: Consumer, logger: Logger): Promise<void> {
    try {
      // A bus that is away forgets it by itself, and whoever waits for its answer reads nothing meanwhile.
      this.options.bus.assertConnected();
      await consumer.delete();
    } catch (error) {
      logger.debug({ reason: reasonOf(error) }, 'consumer is gone');
    }
  }

  private async run(): Promise<void> {
    const { bus, name, outage } = this.options;
    while (!this.stopping) {
      this.isUncertain = false;
      try {
        // What is asked of a bus that is away gets no answer when it is back either, but waits for its time-out.
        bus.assertConnected();
        await this.options.readOn();
      } catch (error) {
        outage.failed(name, reasonOf(error), { reader: name });
      }
      if (!this.stopping) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/** Whether the next message is here already. `getPending` of the library counts its own requests in and may stay above 0. */
function isMoreHere(messages: ConsumerMessages): boolean {
  return messages.getReceived() > messages.getProcessed();
}

/** Signs that the consumer no longer reads the stream it was made for. */
const LOST = new Set([
  'heartbeats_missed',
  'stream_not_found',
  'consumer_not_found',
  'consumer_deleted',
  'no_responders',
]);

/** Ends the reading, so that it starts again with a look at the stream: it may have been made anew meanwhile. */
async function leaveWhenLost(messages: ConsumerMessages): Promise<void> {
  for await (const status of messages.status()) {
    if (LOST.has(status.type)) messages.stop();
  }
}
