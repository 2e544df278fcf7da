/**
 * Lets the readers of several partitions handle their batches a few at a time, in the order in which they asked. What
 * waits for its turn stays as it came from the bus, which is a fraction of what it takes once it has been read.
 */
export class BatchTurns {
  private readonly waiting: (() => void)[] = [];

  /** `free`: how many may be handled at the same time. */
  constructor(private free: number) {}

  /** Resolves when it is one's turn, with what ends it; to be called once. */
  async take(): Promise<() => void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    return () => {
      const next = this.waiting.shift();
      if (next) next();
      else this.free++;
    };
  }
}
