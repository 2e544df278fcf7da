import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiError,
  type ConsumerConfig,
  type ConsumerInfo,
} from '@nats-io/jetstream';
import { nanos } from '@nats-io/transport-node';
import type { Bus } from '../bus.js';
import { storedLastRead, withLastRead } from './last-read.js';
import { isRecognised, type MessageMark, type StreamPosition } from './position.js';

/** Where the bus stores the position of a durable reader; its owner may be another service than the reader. */
export interface ReaderPlace {
  /**
   * Creates what stores the position, or checks that it fits the stream. `shorter`: the stream has lost messages that were
   * read, and nothing was changed, because `mayRestart` is false. `newest`: the newest message that was delivered here.
   */
  ensure(newest: StreamPosition | undefined, mayRestart: boolean): Promise<'ready' | 'shorter'>;
  /** Stores which message was delivered last. */
  store(newest: StreamPosition): Promise<void>;
}

export interface DurableConsumerOptions {
  readonly bus: Bus;
  readonly stream: string;
  readonly name: string;
  readonly acknowledgeMs: number;
  /** A new reader gets what was stored since then, milliseconds since 1970. Default: what is stored from now on. */
  readonly since?: number | undefined;
}

/** Maximum of messages in progress; the bus delivers no more until one of them is acknowledged. */
export const MAX_IN_PROGRESS = 64;
const CONSUMER_NOT_FOUND = 10_014;
/** The bus deletes a reader that has not connected for so long. */
const DELETED_AFTER_MS = 7 * 86_400_000;

/** The consumer of a durable reader, in the account of its stream. */
export class DurableConsumer implements ReaderPlace {
  constructor(private readonly options: DurableConsumerOptions) {}

  async ensure(newest: StreamPosition | undefined, mayRestart: boolean): Promise<'ready' | 'shorter'> {
    const { bus, stream, name, acknowledgeMs, since } = this.options;
    const changeable = {
      ack_wait: nanos(acknowledgeMs),
      max_ack_pending: MAX_IN_PROGRESS,
      inactive_threshold: nanos(DELETED_AFTER_MS),
    };
    const add = async (start: Partial<ConsumerConfig>): Promise<'ready'> => {
      const fixed = { durable_name: name, ack_policy: AckPolicy.Explicit };
      await bus.jsm.consumers.add(stream, { ...fixed, ...changeable, ...start });
      return 'ready';
    };
    const existing = await this.info();
    if (existing === undefined)
      return add(since === undefined ? { deliver_policy: DeliverPolicy.New } : startAt(since));
    const start = await this.startWhereShorter(existing, newest);
    if (start === undefined) {
      await bus.jsm.consumers.update(stream, name, changeable);
      return 'ready';
    }
    if (!mayRestart) return 'shorter';
    bus.logger.error({ reader: name, start }, 'the bus has lost messages that were read; continuing after them');
    await bus.jsm.consumers.delete(stream, name);
    return add(start);
  }

  async exists(): Promise<boolean> {
    return (await this.info()) !== undefined;
  }

  async store(newest: StreamPosition): Promise<void> {
    const { bus, stream, name } = this.options;
    const { metadata } = (await bus.jsm.consumers.info(stream, name)).config;
    await bus.jsm.consumers.update(stream, name, { metadata: withLastRead(metadata ?? {}, newest) });
  }

  /**
   * Undefined if there is none. Rejects when the bus does not answer: a new consumer would begin at the end of the
   * stream.
   */
  private async info(): Promise<ConsumerInfo | undefined> {
    const { bus, stream, name } = this.options;
    try {
      return await bus.jsm.consumers.info(stream, name);
    } catch (error) {
      if (error instanceof JetStreamApiError && error.code === CONSUMER_NOT_FOUND) return undefined;
      throw error;
    }
  }

  /**
   * Where to resume in a stream that has lost messages which were delivered to this reader: its consumer waits for
   * sequences that the stream has not reached yet, and would skip all before. Undefined if nothing is missing.
   */
  private async startWhereShorter(
    { delivered, ack_floor, config }: ConsumerInfo,
    here: StreamPosition | undefined,
  ): Promise<Partial<ConsumerConfig> | undefined> {
    const { bus, stream } = this.options;
    const info = await bus.jsm.streams.info(stream);
    const newest = here ?? storedLastRead(config.metadata);
    if (newest?.message !== undefined && !(await isRecognised(bus, info, newest))) return startAfter(newest.message);
    const { last_seq: last } = info.state;
    if (delivered.stream_seq <= last) return undefined;
    return { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: Math.min(ack_floor.stream_seq, last) + 1 };
  }
}

/** Everything that the stream has stored since then is not delivered yet. */
function startAfter({ storedAt }: MessageMark): Partial<ConsumerConfig> {
  return startAt(storedAt + 1);
}

function startAt(time: number): Partial<ConsumerConfig> {
  return { deliver_policy: DeliverPolicy.StartTime, opt_start_time: new Date(time).toISOString() };
}
