import { Semaphore, withTimeout, type SemaphoreInterface } from 'async-mutex';

export interface BoundedSemaphoreOptions {
  /** Maximum of calls that run at the same time. */
  readonly concurrency: number;
  /** Maximum of calls that wait. */
  readonly queueLength: number;
  /** Longest waiting time of a call, milliseconds; no limit if left out. */
  readonly maxWaitMs?: number;
}

/** The work was not started: the queue is full, or it has waited for too long. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
  constructor() {
    super('too many tasks are waiting');
  }
}

/** Runs a few calls at a time and queues a few more, in the order of the calls; rejects the others at once. */
export class BoundedSemaphore {
  private readonly semaphore: SemaphoreInterface;
  private readonly concurrency: number;
  private readonly limit: number;
  /** Running or waiting. */
  private admitted = 0;

  constructor({ concurrency, queueLength, maxWaitMs }: BoundedSemaphoreOptions) {
    const semaphore = new Semaphore(concurrency);
    this.semaphore = maxWaitMs === undefined ? semaphore : withTimeout(semaphore, maxWaitMs, new QueueFull());
    this.concurrency = concurrency;
    this.limit = concurrency + queueLength;
  }

  /** Whether a call would run at once. */
  get isFree(): boolean {
    return this.admitted < this.concurrency;
  }

  /** Rejects with {@link QueueFull}, or as `work` does. */
  async runExclusive<T>(work: () => Promise<T>): Promise<T> {
    if (this.admitted >= this.limit) throw new QueueFull();
    this.admitted++;
    try {
      return await this.semaphore.runExclusive(work);
    } finally {
      this.admitted--;
    }
  }
}
