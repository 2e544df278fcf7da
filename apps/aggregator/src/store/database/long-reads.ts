import { BoundedSemaphore, QueueFull } from '@ringdown/concurrency';
import { isTooSlow } from './query-errors.js';

/** Usual pages of a million calls take a tenth of it, also on a busy machine. */
const SHORT_MS = 1_000;
/** How long a read waits for another one of the same user. */
const WAIT_MS = 5_000;
/** A view of the console begins about ten reads at once. */
const QUEUE_LENGTH = 50;

/** A user has the maximum of long reads, and began another one. */
export class TooManyLongReads extends Error {
  override readonly name = 'TooManyLongReads';
}

export interface LongReadsOptions {
  /** Connections that all users share. */
  readonly connections: number;
  /** The longest time of a read. */
  readonly longMs: number;
}

/** The reads of one user. */
interface Lanes {
  readonly long: BoundedSemaphore;
  readonly short: BoundedSemaphore;
  reads: number;
}

/**
 * Leaves other users a connection: the reads of one user may have all connections but one for long, and beside them one for a second.
 * Nobody knows beforehand how long a read takes, so one that is ended after this second is repeated when a long one has ended.
 */
export class LongReads {
  private readonly users = new Map<string, Lanes>();

  constructor(private readonly options: LongReadsOptions) {}

  /** `read` ends after the given time, and may be called twice. Rejects with {@link TooManyLongReads}, or as `read` does. */
  async run<T>(username: string, read: (limitMs: number) => Promise<T>): Promise<T> {
    const lanes = this.users.get(username) ?? this.openLanes();
    this.users.set(username, lanes);
    lanes.reads++;
    try {
      return await this.runIn(lanes, read);
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      throw new TooManyLongReads('the maximum of long reads of one user is running', { cause: error });
    } finally {
      lanes.reads--;
      if (lanes.reads === 0) this.users.delete(username);
    }
  }

  private async runIn<T>({ long, short }: Lanes, read: (limitMs: number) => Promise<T>): Promise<T> {
    const readLong = (): Promise<T> => long.runExclusive(() => read(this.options.longMs));
    if (long.isFree) return readLong();
    try {
      return await short.runExclusive(() => read(SHORT_MS));
    } catch (error) {
      if (!isTooSlow(error)) throw error;
    }
    return readLong();
  }

  private openLanes(): Lanes {
    return { long: openLane(Math.max(1, this.options.connections - 1)), short: openLane(1), reads: 0 };
  }
}

function openLane(concurrency: number): BoundedSemaphore {
  return new BoundedSemaphore({ concurrency, queueLength: QUEUE_LENGTH, maxWaitMs: WAIT_MS });
}
