import { DeliverPolicy, type Consumer, type JsMsg } from '@nats-io/jetstream';
import type { Logger, OutageLog } from '@ringdown/observability';
import type { BatchTurns } from './batch-turns.js';
import { reasonOf, type Bus } from './bus.js';
import { isRecordBatch, type PublishedRecord, type RecordBatch } from './messages.js';
import { messagesAhead, ReadingLoop } from './reading-loop.js';
import { streamLife } from './streams.js';
import { RECORDS_STREAM, recordsSubject } from './subjects.js';

/** How far a partition has been read. The epoch tells one life of the stream from the next, whose numbers start again. */
export interface Position {
  readonly epoch: string;
  /** Sequence of the last message that is in the database; 0 before the first. */
  readonly sequence: number;
}

export interface ReadBatch {
  readonly partition: number;
  readonly records: readonly PublishedRecord[];
  /** Where the reading stood before and stands after this batch; the handler stores it with what it made of the records. */
  readonly before: Position;
  readonly after: Position;
  /** Messages of this partition that were still to be read when the batch was taken. */
  readonly backlog: number;
}

export interface PoisonMessage {
  readonly sequence: number;
  /** When the bus has stored it, milliseconds since 1970. */
  readonly storedAt: number;
  readonly text: string;
}

export interface PartitionReaderOptions {
  readonly bus: Bus;
  readonly partition: number;
  readonly logger: Logger;
  /** Shared by all partitions: what keeps one from being read mostly keeps all. */
  readonly outage: OutageLog;
  /** Shared by all partitions that one database takes in. */
  readonly turns: BatchTurns;
  /** Where to go on; asked at start and again after every failure. */
  loadPosition(): Promise<Position | undefined>;
  /** Called with one batch at a time; when it rejects, the batch is read again from the stored position. */
  handle(batch: ReadBatch): Promise<void>;
  /** A message that is not a record batch; it is skipped after this, and comes again when this rejects. */
  onPoison(message: PoisonMessage, reason: string): Promise<void>;
}

const MAX_BATCH_MESSAGES = 200;
/** One batch is one transaction; it must not grow with the size of the messages. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Reads one partition in order, from the position that the reader's own database knows: delivery is at least once,
 * and what is done with a batch commits together with its position.
 */
export class PartitionReader {
  private readonly loop: ReadingLoop;
  private ahead = 0;

  constructor(private readonly options: PartitionReaderOptions) {
    const { partition, outage } = options;
    this.loop = new ReadingLoop({ name: partition, outage, readOn: () => this.readOn() });
  }

  start(): void {
    this.loop.start();
  }

  /** Finishes the batch in hand and reads no more. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async readOn(): Promise<void> {
    const position = await this.startPosition();
    const consumer = await this.consumerFrom(position.sequence + 1);
    try {
      await this.handleAll(consumer, position);
    } finally {
      await consumer.delete().catch((error: unknown) => this.options.logger.debug({ err: error }, 'consumer is gone'));
    }
  }

  private async handleAll(consumer: Consumer, from: Position): Promise<void> {
    let before = from;
    let pending: JsMsg[] = [];
    let bytes = 0;
    let endTurn: (() => void) | undefined;
    try {
      for await (const { message, isMoreHere } of this.loop.messages(consumer, this.ahead)) {
        pending.push(message);
        bytes += message.data.length;
        const hasRoom = pending.length < MAX_BATCH_MESSAGES && bytes < MAX_BATCH_BYTES;
        if (hasRoom && isMoreHere()) continue;
        endTurn ??= await this.options.turns.take();
        // What has come while others had their turn goes with it.
        if (hasRoom && isMoreHere()) continue;
        if (this.loop.isStopping) return;
        const after = { epoch: before.epoch, sequence: message.seq };
        const records: PublishedRecord[] = [];
        for (const each of pending) records.push(...(await this.decode(each)));
        pending = [];
        bytes = 0;
        const backlog = message.info.pending;
        await this.options.handle({ partition: this.options.partition, records, before, after, backlog });
        this.loop.works();
        before = after;
        endTurn();
        endTurn = undefined;
      }
    } finally {
      endTurn?.();
    }
  }

  private async decode(message: JsMsg): Promise<readonly PublishedRecord[]> {
    const batch = readBatch(message);
    if (typeof batch !== 'string') return batch.records;
    const { seq: sequence, info } = message;
    const storedAt = Math.floor(info.timestampNanos / 1_000_000);
    await this.options.onPoison({ sequence, storedAt, text: message.string() }, batch);
    return [];
  }

  private async startPosition(): Promise<Position> {
    const { bus, logger, partition } = this.options;
    const stream = await bus.jsm.streams.info(RECORDS_STREAM);
    const epoch = streamLife(stream);
    this.ahead = messagesAhead(stream.state);
    const stored = await this.options.loadPosition();
    if (stored === undefined) return { epoch, sequence: 0 };
    if (stored.epoch !== epoch) {
      logger.warn({ partition, stored, epoch }, 'the stream of records was made anew; reading it from its start');
      return { epoch, sequence: 0 };
    }
    if (stored.sequence > stream.state.last_seq) {
      logger.warn({ partition, stored }, 'the stream of records ends before what was read; reading it from its start');
      return { epoch, sequence: 0 };
    }
    return stored;
  }

  private consumerFrom(sequence: number): Promise<Consumer> {
    return this.options.bus.js.consumers.get(RECORDS_STREAM, {
      filter_subjects: recordsSubject(this.options.partition),
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: sequence,
    });
  }
}

/** The batch, or why the message is none. */
function readBatch(message: JsMsg): RecordBatch | string {
  try {
    const batch: unknown = message.json();
    return isRecordBatch(batch) ? batch : 'not a batch of records of a version that is known here';
  } catch (error) {
    return reasonOf(error);
  }
}
