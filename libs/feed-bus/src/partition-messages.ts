import { DeliverPolicy, type JsMsg, type StreamState } from '@nats-io/jetstream';
import { RECORDS_STREAM, subjectsOfPartition } from '@ringdown/contracts/records';
import type { Bus } from '@ringdown/nats';
import { messagesAhead, type ReadingLoop, type ReadMessage } from '@ringdown/nats/reading';
import type { Logger } from '@ringdown/observability';
import type { RecordsWindow } from './records-window.js';
import type { WindowPlace } from './window-place.js';

export interface PartitionMessagesOptions {
  readonly bus: Bus;
  readonly window: RecordsWindow;
  readonly partition: number;
  readonly loop: ReadingLoop;
  readonly logger: Logger;
}

/** Messages that may be under way to the window. */
const MOST_SHARED = 1_600;

/** The messages of one partition: from the window of the replica, or from a consumer of its own while it is behind. */
export class PartitionMessages {
  private alone = 0;
  private shared = 0;
  private place: WindowPlace | undefined;
  /** A batch was begun, and is not stored: when the reading begins again, that is because of it. */
  private hasFailed = false;

  constructor(private readonly options: PartitionMessagesOptions) {}

  /** Messages that follow this one, the last that was read; undefined while that is not known. */
  backlogAfter({ info }: JsMsg): number | undefined {
    return this.place === undefined ? info.pending : this.place.backlog;
  }

  batchBegins(): void {
    this.hasFailed = true;
  }

  batchIsStored(): void {
    this.hasFailed = false;
  }

  /** Those behind a sequence of this stream, until the reading ends. */
  async *after(sequence: number, stream: StreamState): AsyncGenerator<ReadMessage> {
    this.alone = messagesAhead(stream);
    this.shared = messagesAhead(stream, MOST_SHARED);
    // The others do not read again for a partition that may fail again.
    let next = !this.hasFailed && this.isNearWindow(sequence) ? yield* this.fromWindow(sequence) : sequence;
    while (next !== undefined) {
      next = yield* this.fromOwnConsumer(next);
      if (next !== undefined) next = yield* this.fromWindow(next);
    }
  }

  private isNearWindow(after: number): boolean {
    return this.options.window.isNear({ after, reach: this.shared });
  }

  /** Returns the sequence that the own consumer has to begin behind, if the partition was too slow for the others. */
  private async *fromWindow(start: number): AsyncGenerator<ReadMessage, number | undefined> {
    const { window, partition, loop } = this.options;
    const place = window.join({ partition, after: start, reach: this.shared });
    let after = start;
    try {
      this.place = place;
      for await (const read of loop.messagesOf(place)) {
        after = read.message.seq;
        yield read;
      }
    } finally {
      this.place = undefined;
    }
    return place.isTooSlow ? after : undefined;
  }

  /** Returns the sequence to go on behind in the window: the partition has caught up, or has stored what it failed at. */
  private async *fromOwnConsumer(start: number): AsyncGenerator<ReadMessage, number | undefined> {
    const { bus, partition, loop, logger } = this.options;
    // After an outage of the database all partitions are here, and are slower than in the window.
    const hadFailed = this.hasFailed;
    const consumer = await bus.js.consumers.get(RECORDS_STREAM, {
      filter_subjects: [...subjectsOfPartition(partition)],
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: start + 1,
    });
    try {
      for await (const read of loop.messages(consumer, this.alone)) {
        yield read;
        const { seq, info } = read.message;
        const mayJoin = !this.hasFailed && (hadFailed || info.pending === 0);
        if (mayJoin && this.isNearWindow(seq)) return seq;
      }
    } finally {
      await loop.drop(consumer, logger);
    }
    return undefined;
  }
}
