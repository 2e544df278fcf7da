/** Milliseconds. Answers take time, and their `Date` has whole seconds; a smaller difference is not a wrong clock. */
const TOLERANCE = 5_000;

/** The clock of the server, which is that of the calls; the local clock may be off by an hour. */
export class ServerClock {
  private ahead = 0;

  /** `local`: milliseconds since 1970 by the local clock. */
  constructor(private readonly local: () => number) {}

  /** Milliseconds since 1970; the local time until the server has answered. */
  now(): number {
    return this.local() + this.ahead;
  }

  /** Updates the clock from the `Date` of an answer that was just received. */
  learn(date: string | null): void {
    const ahead = Date.parse(date ?? '') - this.local();
    // NaN fails the comparison, so an invalid date is ignored.
    if (Math.abs(ahead - this.ahead) > TOLERANCE) this.ahead = Math.abs(ahead) > TOLERANCE ? ahead : 0;
  }
}

/** The clock of the server that has served this page. */
export const serverClock = new ServerClock(() => Date.now());
