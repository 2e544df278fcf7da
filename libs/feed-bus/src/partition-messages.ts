import type { StreamState } from '@nats-io/jetstream';
import type { Bus } from '@ringdown/nats';
import { messagesAhead, type ReadingLoop, type ReadMessage } from '@ringdown/nats/reading';
import type { Logger } from '@ringdown/observability';
import { RecordsWindow } from './records-window.js';
import type { WindowPlace } from './window-place.js';

export interface PartitionMessagesOptions {
  readonly bus: Bus;
  readonly window: RecordsWindow;
  readonly partition: number;
  readonly loop: ReadingLoop;
  readonly logger: Logger;
}

/** Messages that may be under way to a window. */
const MOST_AHEAD = 1_600;

/** The messages of one partition: from the window of the replica, or from one of its own while it is behind. */
export class PartitionMessages {
  private reach = 0;
  private place: WindowPlace | undefined;
  /** A batch was begun, and is not stored: when the reading begins again, that is because of it. */
  private hasFailed = false;

  constructor(private readonly options: PartitionMessagesOptions) {}

  /** Messages that follow the last one that was read; undefined while that is not known. */
  get backlog(): number | undefined {
    return this.place?.backlog;
  }

  batchBegins(): void {
    this.hasFailed = true;
  }

  batchIsStored(): void {
    this.hasFailed = false;
  }

  /** Those behind a sequence of this stream, until the reading ends. */
  async *after(sequence: number, stream: StreamState): AsyncGenerator<ReadMessage> {
    this.reach = messagesAhead(stream, MOST_AHEAD);
    // The others do not read again for a partition that may fail again.
    let next = !this.hasFailed && this.isNearWindow(sequence) ? yield* this.fromWindow(sequence) : sequence;
    while (next !== undefined) {
      next = yield* this.fromOwnWindow(next);
      if (next !== undefined) next = yield* this.fromWindow(next);
    }
  }

  private isNearWindow(after: number): boolean {
    return this.options.window.isNear({ after, reach: this.reach });
  }

  /** Returns the sequence that the own window has to begin behind, if the partition was too slow for the others. */
  private async *fromWindow(start: number): AsyncGenerator<ReadMessage, number | undefined> {
    const place = this.join(this.options.window, start);
    let after = start;
    for await (const read of this.messagesOf(place)) {
      after = read.message.seq;
      yield read;
    }
    return place.isTooSlow ? after : undefined;
  }

  /**
   * Returns the sequence to go on behind in the shared window: the partition has caught up, or has stored what it failed at. Its own takes all messages
   * from the bus, too: nats-server 2.10 reads a block of the stream again for each message that it delivers by its subject (ADR 0121).
   */
  private async *fromOwnWindow(start: number): AsyncGenerator<ReadMessage, number | undefined> {
    const { bus, logger } = this.options;
    // After an outage of the database all partitions are here, and are slower than in the window.
    const hadFailed = this.hasFailed;
    const place = this.join(new RecordsWindow({ bus, logger }), start);
    for await (const read of this.messagesOf(place)) {
      yield read;
      const { seq, info } = read.message;
      const mayJoin = !this.hasFailed && (hadFailed || info.pending === 0);
      if (mayJoin && this.isNearWindow(seq)) return seq;
    }
    return undefined;
  }

  private join(window: RecordsWindow, after: number): WindowPlace {
    return window.join({ partition: this.options.partition, after, reach: this.reach });
  }

  private async *messagesOf(place: WindowPlace): AsyncGenerator<ReadMessage> {
    this.place = place;
    try {
      yield* this.options.loop.messagesOf(place);
    } finally {
      this.place = undefined;
    }
  }
}
