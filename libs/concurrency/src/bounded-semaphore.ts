import { Semaphore, withTimeout, type SemaphoreInterface } from 'async-mutex';

export interface BoundedSemaphoreOptions {
  /** How many run at the same time. */
  readonly concurrency: number;
  /** How many more may wait. */
  readonly queueLength: number;
  /** How long one waits at most, milliseconds; without a limit when left out. */
  readonly maxWaitMs?: number;
}

/** The work was not started: too many others wait, or it has waited for too long. */
export class QueueFull extends Error {
  override readonly name = 'QueueFull';
  constructor() {
    super('too much work is waiting');
  }
}

/** Runs a few at a time and lets a few more wait, in the order of the calls; rejects the others at once. */
export class BoundedSemaphore {
  private readonly semaphore: SemaphoreInterface;
  private readonly limit: number;
  /** Running or waiting. */
  private admitted = 0;

  constructor({ concurrency, queueLength, maxWaitMs }: BoundedSemaphoreOptions) {
    const semaphore = new Semaphore(concurrency);
    this.semaphore = maxWaitMs === undefined ? semaphore : withTimeout(semaphore, maxWaitMs, new QueueFull());
    this.limit = concurrency + queueLength;
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
