import type { JsMsg, StreamInfo, StreamState } from '@nats-io/jetstream';
import {
  RECORDS_STREAM,
  subjectNumber,
  type CollectorMessage,
  type PublishedRecord,
  type ReadRecord,
  type RecordBatch,
} from '@ringdown/contracts/records';
import { errorReason } from '@ringdown/errors';
import type { Bus } from '@ringdown/nats';
import { isRecognised, messageMark, ReadingLoop, storageTime } from '@ringdown/nats/reading';
import { streamEpoch } from '@ringdown/nats/streams';
import type { Logger, OutageLog } from '@ringdown/observability';
import { CollectorNumbers } from './collector-numbers.js';
import { MessagesInHand, type InHand } from './messages-in-hand.js';
import type { Position } from './position.js';
import { lastPartitionMessage } from './partition-backlog.js';
import { PartitionMessages } from './partition-messages.js';
import { isOfPartition, readMessage } from './read-message.js';
import type { RecordsWindow } from './records-window.js';

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
  /** Messages of this partition that were still to be read when the batch was read, if that is known. */
  readonly backlog: number | undefined;
}

export interface PoisonMessage {
  readonly sequence: number;
  /** When the bus stored it, milliseconds since 1970. */
  readonly storedAt: number;
  readonly text: string;
}

/** Decides when a partition may read its next batch; a semaphore does, too. */
export interface BatchTurns {
  /** Resolves when the batch may be decoded and handled; the second value is called when that is over. */
  acquire(): Promise<readonly [unknown, () => void]>;
  /** The most bytes that the batch may have; left out: as many as one transaction may have. */
  readonly mostBytes?: number;
}

export interface PartitionReaderOptions {
  readonly bus: Bus;
  /** Shared by all partitions of a replica. */
  readonly window: RecordsWindow;
  readonly partition: number;
  /** Into how many partitions the feed is divided; called after each {@link loadPosition}. */
  readonly partitions: () => number;
  readonly logger: Logger;
  /** Shared by all partitions: a failure of one mostly affects all. */
  readonly outage: OutageLog;
  /** Limits how many batches are handled at a time. */
  readonly batches: BatchTurns;
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

/** How often an idle reader checks that the stream is still the one that it reads. */
const CHECK_MS = 5_000;

/** Where the reading resumes. */
interface Start {
  readonly stored: Position | undefined;
  /** In the current stream. */
  readonly from: Position;
  /** Nothing of this partition is between that position and this sequence. */
  readonly after: number;
  readonly state: StreamState;
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
  private readonly messages: PartitionMessages;
  private pending = new MessagesInHand();

  constructor(private readonly options: PartitionReaderOptions) {
    const { bus, window, partition, outage, logger } = options;
    this.loop = new ReadingLoop({ bus, name: partition, outage, readOn: () => this.readOn() });
    this.messages = new PartitionMessages({ bus, window, partition, loop: this.loop, logger });
  }

  /** What it has in hand while it waits for its turn. */
  get inHand(): InHand {
    return this.pending;
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
    const { stored, from, after: first, state, partitions } = await this.whereToStart();
    let before = stored;
    let reached = from;
    const pending = (this.pending = new MessagesInHand());
    const { batches } = this.options;
    let release: (() => void) | undefined;
    const numbers = new CollectorNumbers();
    let checked = from;
    const checking = setInterval(() => {
      if (reached === checked) void this.checkIdle(reached);
      checked = reached;
    }, CHECK_MS);
    try {
      for await (const { message, isMoreHere } of this.messages.after(first, state)) {
        pending.add(message);
        const mayWait = (): boolean => pending.hasRoom(batches.mostBytes ?? Infinity) && isMoreHere();
        if (mayWait()) continue;
        release ??= (await batches.acquire())[1];
        // Messages that have arrived meanwhile belong to the same batch.
        if (mayWait()) continue;
        if (this.loop.isStopping) return;
        const after = positionAfter(reached, message);
        this.messages.batchBegins();
        await this.options.beforeReading?.(before);
        const { records, sent } = await this.readAll(pending.take(), reached, numbers);
        const { backlog } = this.messages;
        const { rereadUntil } = reached;
        const reread = rereadUntil === undefined ? {} : { rereadUntil };
        const { partition } = this.options;
        const read = { records: records.filter((record) => isOfPartition(record, partition, partitions)), sent };
        await this.options.handle({ partition, partitions, ...read, before, after, ...reread, backlog });
        this.messages.batchIsStored();
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
      const storedAt = storageTime(message.info);
      if (batch?.from !== undefined) {
        // Skipped by the bus, whose consumer has moved on, or never stored.
        if (numbers.skip(batch.from)) {
          const read = last === undefined ? reached : positionAfter(reached, last);
          if (!(await this.isStillThere(read))) throw new Error(LOST_MESSAGES);
        }
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
    if (partition === reportedBy) await this.options.onPoison({ sequence, storedAt: storageTime(info), text }, reason);
    return undefined;
  }

  /** The consumer of a bus that has lost messages waits for the sequence after the lost ones. */
  private async checkIdle(reached: Position): Promise<void> {
    const isThere = await this.isStillThere(reached).catch((error: unknown) => {
      // A failure that prevents reading the stream is logged by its reader.
      this.options.logger.debug({ reason: errorReason(error) }, 'the position could not be checked');
      return true;
    });
    if (!isThere) this.loop.restart();
  }

  private async isStillThere(position: Position): Promise<boolean> {
    const { bus } = this.options;
    return isRecognised(bus, await bus.jsm.streams.info(RECORDS_STREAM), position);
  }

  private async whereToStart(): Promise<Start> {
    const { bus, partition } = this.options;
    // Loaded before the stream info, which can only be newer: another replica may have moved the position.
    const stored = await this.options.loadPosition();
    const partitions = this.options.partitions();
    const stream = await bus.jsm.streams.info(RECORDS_STREAM);
    const from = await this.resumedAt(stored, stream);
    const { state } = stream;
    const last = await lastPartitionMessage(bus, partition, stream);
    const hasMore = last !== undefined && last > from.sequence;
    return {
      stored,
      from,
      after: hasMore ? from.sequence : Math.max(from.sequence, state.last_seq),
      state,
      partitions,
    };
  }

  private async resumedAt(stored: Position | undefined, stream: StreamInfo): Promise<Position> {
    const { bus, logger, partition } = this.options;
    const epoch = streamEpoch(stream);
    if (stored === undefined) return { epoch, sequence: 0 };
    if (await isRecognised(bus, stream, stored)) return { ...stored, epoch };
    const { last_seq: last, messages } = stream.state;
    logger.warn(
      { partition, stored, stream: { last, messages } },
      'the stream of records no longer contains the message that was read last; reading it from its start',
    );
    const rereadUntil = Math.max(stored.rereadUntil ?? 0, stored.message?.storedAt ?? 0);
    return { epoch, sequence: 0, ...(rereadUntil > 0 ? { rereadUntil } : {}) };
  }
}

const LOST_MESSAGES = 'the stream of records has lost messages that were read';

function positionAfter({ epoch, rereadUntil }: Position, message: JsMsg): Position {
  const mark = messageMark(message);
  // After this point, no message can have been read before.
  const isOver = rereadUntil === undefined || mark.storedAt > rereadUntil;
  return { epoch, sequence: message.seq, message: mark, ...(isOver ? {} : { rereadUntil }) };
}

/** An invalid record is passed on unchanged; the handler of the batch reports it. */
function withTime(record: PublishedRecord, storedAt: number): ReadRecord {
  return Object.assign(Object(record), { storedAt });
}
