/** How many of one resource each user holds at the same time. */
export class SlotsPerUser {
  private readonly acquired = new Map<string, number>();

  constructor(private readonly max: number) {}

  /** Returns the function that releases the slot, or undefined when the user already has the maximum. */
  acquire(username: string): (() => void) | undefined {
    const before = this.acquired.get(username) ?? 0;
    if (before >= this.max) return undefined;
    this.acquired.set(username, before + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const left = (this.acquired.get(username) ?? 1) - 1;
      if (left === 0) this.acquired.delete(username);
      else this.acquired.set(username, left);
    };
  }
}

const MINUTE_MS = 60_000;

/** How many requests each user has sent in the current minute. */
export class RequestRate {
  private readonly counts = new Map<string, number>();
  private until = -Infinity;

  constructor(
    private readonly perMinute: number,
    /** Milliseconds, of a clock that is never set back. */
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Counts one more request; returns the seconds until the next minute when the limit is exceeded. */
  add(username: string): number | undefined {
    const now = this.now();
    if (now >= this.until) {
      this.counts.clear();
      this.until = now + MINUTE_MS;
    }
    const count = (this.counts.get(username) ?? 0) + 1;
    this.counts.set(username, count);
    return count > this.perMinute ? Math.ceil((this.until - now) / 1_000) : undefined;
  }
}
