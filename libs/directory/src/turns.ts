import { DirectoryBusy } from './people.js';

export interface TurnsOptions {
  /** How many do their work at the same time. */
  readonly concurrency: number;
  /** How many more may wait. */
  readonly queueLength: number;
  /** How long one waits at most, milliseconds; for ever when left out. */
  readonly maxWaitMs?: number;
}

interface Waiting {
  go(): void;
}

/** Lets a few work at a time and a few more wait, in order. Whoever comes later is told at once to come back. */
export class Turns {
  private running = 0;
  private readonly waiting: Waiting[] = [];

  constructor(private readonly options: TurnsOptions) {}

  /** Runs `work` when it is its turn. Throws {@link DirectoryBusy} when too many wait, or this one for too long. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    await this.turn();
    try {
      return await work();
    } finally {
      this.next();
    }
  }

  private turn(): Promise<void> {
    const { concurrency, queueLength, maxWaitMs } = this.options;
    if (this.running < concurrency) {
      this.running++;
      return Promise.resolve();
    }
    if (this.waiting.length >= queueLength) return Promise.reject(new DirectoryBusy(1));
    return new Promise((resolve, reject) => {
      const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
      const waiting: Waiting = {
        go: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const queue = this.waiting;
      function giveUp(): void {
        queue.splice(queue.indexOf(waiting), 1);
        reject(new DirectoryBusy(1));
      }
      queue.push(waiting);
    });
  }

  /** Hands this one's place to the one that has waited longest. */
  private next(): void {
    const longest = this.waiting.shift();
    if (longest) longest.go();
    else this.running--;
  }
}
