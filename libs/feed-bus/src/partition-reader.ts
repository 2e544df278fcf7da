import { DeliverPolicy, type Consumer, type JsMsg } from '@nats-io/jetstream';
import {
  partitionAmong,
  partitionOf,
  PARTITIONS,
  RECORDS_STREAM,
  subjectNumber,
  subjectsOfPartition,
  type CollectorMessage,
  type PublishedRecord,
  type ReadRecord,
  type RecordBatch,
} from '@ringdown/contracts/records';
import { reasonOf } from '@ringdown/errors';
import { isRecognised, markOf, messagesAhead, ReadingLoop, storedAtOf, streamEpoch, type Bus } from '@ringdown/nats';
import type { Semaphore } from '@ringdown/concurrency';
import type { Logger, OutageLog } from '@ringdown/observability';
import { CollectorNumbers } from './collector-numbers.js';
import type { Position } from './position.js';
import { bytesForPartition, readMessage } from './read-message.js';

export interface ReadBatch {
  readonly partition: number;
  /** Into how many partitions the feed was divided when the batch was read. */
  readonly partitions: number;
  readonly records: readonly ReadRecord[];
  /** The numbers that the collectors gave the messages of this batch. */
  readonly sent: readonly CollectorMessage[];
  /**
   * The stored position, undefined when there is none; the handler replaces it in the same transaction as the records.
   */
  readonly before: Position | undefined;
  readonly after: Position;
  /** As in {@link Position}, if any message of this batch may have been read before. */
  readonly rereadUntil?: number;
  /** Messages of this partition that were still to be read when the batch was read. */
  readonly backlog: number;
}

export interface PoisonMessage {
  readonly sequence: number;
  /** When the bus stored it, milliseconds since 1970. */
  readonly storedAt: number;
  readonly text: string;
}

export interface PartitionReaderOptions {
  readonly bus: Bus;
  readonly partition: number;
  /** Into how many partitions the feed is divided; called after each {@link loadPosition}. */
  readonly partitions: () => number;
  readonly logger: Logger;
  /** Shared by all partitions: a failure of one mostly affects all. */
  readonly outage: OutageLog;
  /** Limits how many batches are handled at a time; shared by all partitions of one database. */
  readonly batches: Semaphore;
  /** Where to resume; called at start and after every failure. */
  loadPosition(): Promise<Position | undefined>;
  /** Called before the messages of a batch are decoded, with the stored position; reading starts again when it rejects. */
  beforeReading?(position: Position | undefined): Promise<void>;
  /** Called with one batch at a time; when it rejects, the batch is read again from the stored position. */
  handle(batch: ReadBatch): Promise<void>;
  /**
   * Called with a message that is not a record batch; the message is skipped afterwards, or read again when this
   * rejects.
   */
  onPoison(message: PoisonMessage, reason: string): Promise<void>;
}

const MAX_BATCH_MESSAGES = 200;
/** One batch is one transaction; its size must not grow with the size of the messages. */
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
/** How often an idle reader checks that the stream is still the one that it reads. */
const CHECK_MS = 5_000;

/** Where the reading resumes. */
interface Start {
  readonly stored: Position | undefined;
  /** In the current stream. */
  readonly from: Position;
  /** As in {@link ReadBatch}. */
  readonly partitions: number;
}

/**
 * Reads one partition in order, from the position in the reader's own database: delivery is at least once, and the
 * results of a batch commit together with its position. A stream that has lost messages which were read is read from
 * its start (ADR 0037).
 */
export class PartitionReader {
  private readonly loop: ReadingLoop;
  private ahead = 0;

  constructor(private readonly options: PartitionReaderOptions) {
    const { bus, partition, outage } = options;
    this.loop = new ReadingLoop({ bus, name: partition, outage, readOn: () => this.readOn() });
  }

  start(): void {
    this.loop.start();
  }

  /** Loads the position again: the database may have an older one than before. */
  restart(): void {
    this.loop.restart();
  }

  /** Finishes the current batch and reads no more. */
  stop(): Promise<void> {
    return this.loop.stop();
  }

  private async readOn(): Promise<void> {
    const start = await this.whereToStart();
    const consumer = await this.consumerFrom(start.from.sequence + 1);
    try {
      await this.handleAll(consumer, start);
    } finally {
      await this.loop.drop(consumer, this.options.logger);
    }
  }

  private async handleAll(consumer: Consumer, { stored, from, partitions }: Start): Promise<void> {
    let before = stored;
    let reached = from;
    let pending: JsMsg[] = [];
    let bytes = 0;
    let release: (() => void) | undefined;
    const numbers = new CollectorNumbers();
    const checking = setInterval(() => void this.checkIdle(reached), CHECK_MS);
    try {
      for await (const { message, isMoreHere } of this.loop.messages(consumer, this.ahead)) {
        pending.push(message);
        bytes += bytesForPartition(message);
        const hasRoom = pending.length < MAX_BATCH_MESSAGES && bytes < MAX_BATCH_BYTES;
        if (hasRoom && isMoreHere()) continue;
        release ??= (await this.options.batches.acquire())[1];
        // Messages that have arrived meanwhile belong to the same batch.
        if (hasRoom && isMoreHere()) continue;
        if (this.loop.isStopping) return;
        const after = positionAfter(reached, message);
        await this.options.beforeReading?.(before);
        const { records, sent } = await this.readAll(pending, reached, numbers);
        pending = [];
        bytes = 0;
        const backlog = message.info.pending;
        const { rereadUntil } = reached;
        const reread = rereadUntil === undefined ? {} : { rereadUntil };
        const { partition } = this.options;
        const read = { records: records.filter((record) => isOfPartition(record, partition, partitions)), sent };
        await this.options.handle({ partition, partitions, ...read, before, after, ...reread, backlog });
        this.loop.works();
        [before, reached] = [after, after];
        release();
        release = undefined;
      }
    } finally {
      clearInterval(checking);
      release?.();
    }
  }

  /** Rejects when messages that were read before, or between these, are missing in the stream. */
  private async readAll(
    messages: readonly JsMsg[],
    reached: Position,
    numbers: CollectorNumbers,
  ): Promise<Pick<ReadBatch, 'records' | 'sent'>> {
    const records: ReadRecord[] = [];
    const sent: CollectorMessage[] = [];
    let last: JsMsg | undefined;
    for (const message of messages) {
      if (message.seq <= (last?.seq ?? reached.sequence))
        throw new Error('the sequence numbers of the stream of records went back');
      const batch = await this.decode(message);
      const storedAt = storedAtOf(message.info);
      if (batch?.from !== undefined) {
        // Skipped by the bus, whose consumer has moved on, or never stored.
        const isSkipped = numbers.skip(batch.from);
        const read = last === undefined ? reached : positionAfter(reached, last);
        if (isSkipped && !(await this.isStillThere(read))) throw new Error(LOST_MESSAGES);
        sent.push({ ...batch.from, records: batch.records.length });
      }
      for (const record of batch?.records ?? []) records.push(withTime(record, storedAt));
      last = message;
    }
    return { records, sent };
  }

  private async decode(message: JsMsg): Promise<RecordBatch | undefined> {
    const { partition } = this.options;
    const batch = readMessage(message, subjectNumber(partition));
    if ('records' in batch) return batch;
    const { seq: sequence, info } = message;
    const { reason, text, reportedBy } = batch;
    if (partition === reportedBy) await this.options.onPoison({ sequence, storedAt: storedAtOf(info), text }, reason);
    return undefined;
  }

  /** The consumer of a bus that has lost messages waits for the sequence after the lost ones. */
  private async checkIdle(reached: Position): Promise<void> {
    const isThere = await this.isStillThere(reached).catch((error: unknown) => {
      // A failure that prevents reading the stream is logged by its reader.
      this.options.logger.debug({ reason: reasonOf(error) }, 'the position could not be checked');
      return true;
    });
    if (!isThere) this.loop.restart();
  }

  private async isStillThere(position: Position): Promise<boolean> {
    const { bus } = this.options;
    return isRecognised(bus, await bus.jsm.streams.info(RECORDS_STREAM), position);
  }

  private async whereToStart(): Promise<Start> {
    const { bus, logger, partition } = this.options;
    // Loaded before the stream info, which can only be newer: another replica may have moved the position.
    const stored = await this.options.loadPosition();
    const partitions = this.options.partitions();
    const stream = await bus.jsm.streams.info(RECORDS_STREAM);
    const epoch = streamEpoch(stream);
    this.ahead = messagesAhead(stream.state);
    if (stored === undefined) return { stored, from: { epoch, sequence: 0 }, partitions };
    if (await isRecognised(bus, stream, stored)) return { stored, from: { ...stored, epoch }, partitions };
    const { last_seq: last, messages } = stream.state;
    logger.warn(
      { partition, stored, stream: { last, messages } },
      'the stream of records no longer contains the message that was read last; reading it from its start',
    );
    const rereadUntil = Math.max(stored.rereadUntil ?? 0, stored.message?.storedAt ?? 0);
    return { stored, from: { epoch, sequence: 0, ...(rereadUntil > 0 ? { rereadUntil } : {}) }, partitions };
  }

  private consumerFrom(sequence: number): Promise<Consumer> {
    return this.options.bus.js.consumers.get(RECORDS_STREAM, {
      filter_subjects: [...subjectsOfPartition(this.options.partition)],
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: sequence,
    });
  }
}

/** Of records that have no call or are in the wrong subject, the first partition of the subject reports that. */
function isOfPartition(record: unknown, partition: number, partitions: number): boolean {
  const callId = at(at(at(record, 'record'), 'connection'), 'callId');
  const isOfSubject = typeof callId === 'string' && partitionOf(callId) === partition % PARTITIONS;
  return isOfSubject ? partitionAmong(partitions, callId) === partition : partition < PARTITIONS;
}

function at(value: unknown, name: string): unknown {
  const { [name]: found }: Partial<Record<string, unknown>> = { ...Object(value) };
  return found;
}

const LOST_MESSAGES = 'the stream of records has lost messages that were read';

function positionAfter({ epoch, rereadUntil }: Position, message: JsMsg): Position {
  const mark = markOf(message);
  // After this point, no message can have been read before.
  const isOver = rereadUntil === undefined || mark.storedAt > rereadUntil;
  return { epoch, sequence: message.seq, message: mark, ...(isOver ? {} : { rereadUntil }) };
}

/** An invalid record is passed on unchanged; the handler of the batch reports it. */
function withTime(record: PublishedRecord, storedAt: number): ReadRecord {
  return Object.assign(Object(record), { storedAt });
}
