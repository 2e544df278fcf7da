import { DeliverPolicy, type JsMsg } from '@nats-io/jetstream';
import { OutageLog, type Logger } from '@ringdown/observability';
import type { Bus } from '../bus.js';
import { messagesAhead, ReadingLoop } from './reading-loop.js';
import { isRecognised, messageMark, type StreamPosition } from './position.js';
import { streamEpoch } from './streams.js';

/** Where the reading of a stream begins, at first and after each gap. */
export interface TailStart {
  /** Identifies one life of the stream: a recreated stream starts its sequences again. */
  readonly epoch: string;
  /** Messages after this sequence follow. */
  readonly after: number;
  /** When the bus stored that message, milliseconds since 1970; undefined when it does not exist any more. */
  readonly afterStoredAt: number | undefined;
  /** The newest sequence at that time. */
  readonly newest: number;
}

export interface TailMessage {
  readonly sequence: number;
  /** Milliseconds since 1970 by the clock of the bus. */
  readonly storedAt: number;
  /** Its JSON. */
  readonly body: string;
}

export interface StreamTailOptions {
  readonly bus: Bus;
  readonly stream: string;
  readonly logger: Logger;
  /** At first, older messages with about this total size are read. */
  readonly backBytes: number;
  /** Ensures that the stream exists; called before each reading. */
  prepare(): Promise<unknown>;
  /** The messages that follow do not continue directly after the previous ones. */
  onStart(start: TailStart): void;
  /** Called with one message after the other, in order and without a gap. */
  onMessage(message: TailMessage): void;
}

/**
 * Reads the newest messages of a stream and then new ones, each once, for as long as it runs: over lost connections,
 * and over streams that dropped old messages, lost their newest ones or were recreated, which it reports by `onStart`.
 */
export class StreamTail {
  private readonly loop: ReadingLoop;
  private ahead = 0;
  private at: StreamPosition | undefined;

  constructor(private readonly options: StreamTailOptions) {
    const { bus, stream, logger } = options;
    const outage = new OutageLog({
      logger,
      failure: 'a stream cannot be followed; retrying',
      recovery: 'the stream is followed again',
    });
    this.loop = new ReadingLoop({ bus, name: stream, outage, readOn: () => this.readOn() });
  }

  /** Continues where it was stopped. */
  start(): void {
    this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async readOn(): Promise<void> {
    const { bus, stream, logger } = this.options;
    const { epoch, sequence } = await this.startOf();
    const consumer = await bus.js.consumers.get(stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: sequence + 1,
    });
    try {
      for await (const { message } of this.loop.messages(consumer, this.ahead)) {
        if (this.loop.isStopping) return;
        this.processMessage(epoch, message);
      }
    } finally {
      await this.loop.drop(consumer, logger);
    }
  }

  private processMessage(epoch: string, message: JsMsg): void {
    const { options } = this;
    const { seq } = message;
    // The stream has dropped messages before they were read.
    if (seq !== (this.at?.sequence ?? 0) + 1) {
      options.onStart({ epoch, after: seq - 1, afterStoredAt: undefined, newest: seq + message.info.pending });
    }
    const mark = messageMark(message);
    this.at = { epoch, sequence: seq, message: mark };
    options.onMessage({ sequence: seq, storedAt: mark.storedAt, body: message.string() });
  }

  /** The last position, if the stream still has all messages after it. */
  private async startOf(): Promise<NonNullable<typeof this.at>> {
    const { options } = this;
    const { bus, stream, backBytes } = options;
    await options.prepare();
    const info = await bus.jsm.streams.info(stream);
    const epoch = streamEpoch(info);
    const { state } = info;
    const { first_seq: first, last_seq: newest, messages, bytes } = state;
    const { at } = this;
    this.ahead = messagesAhead(state);
    if (at !== undefined && at.sequence >= first - 1 && (await isRecognised(bus, info, at))) return at;
    const back = messages === 0 ? 0 : Math.min(messages, Math.ceil((backBytes * messages) / bytes));
    const start = { epoch, sequence: newest - back };
    this.at = start;
    const last = start.sequence === 0 ? null : await bus.jsm.streams.getMessage(stream, { seq: start.sequence });
    options.onStart({ epoch, after: start.sequence, afterStoredAt: last?.time.getTime(), newest });
    return start;
  }
}
