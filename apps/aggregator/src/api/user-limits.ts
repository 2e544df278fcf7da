/** How many of one resource each user holds at the same time. */
export class PlacesOfUsers {
  private readonly taken = new Map<string, number>();

  constructor(private readonly most: number) {}

  /** Returns the function that releases the place, or undefined when the user already has the maximum. */
  take(username: string): (() => void) | undefined {
    const before = this.taken.get(username) ?? 0;
    if (before >= this.most) return undefined;
    this.taken.set(username, before + 1);
    let isGivenBack = false;
    return () => {
      if (isGivenBack) return;
      isGivenBack = true;
      const left = (this.taken.get(username) ?? 1) - 1;
      if (left === 0) this.taken.delete(username);
      else this.taken.set(username, left);
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
