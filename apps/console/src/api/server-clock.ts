/** Milliseconds. Answers take their time and tell whole seconds; what is less than this is no wrong clock. */
const TOLERANCE = 5_000;

/** What time it is at the server. Calls are told by its clock, and that of somebody's desk may be off by an hour. */
export class ServerClock {
  private ahead = 0;

  /** `local`: milliseconds since 1970 by the clock here. */
  constructor(private readonly local: () => number) {}

  /** Milliseconds since 1970; as it is here, until the server has told something else. */
  now(): number {
    return this.local() + this.ahead;
  }

  /** Takes the `Date` of an answer that has just come. */
  learn(date: string | null): void {
    const ahead = Date.parse(date ?? '') - this.local();
    // Nothing to learn from NaN.
    if (Math.abs(ahead - this.ahead) > TOLERANCE) this.ahead = Math.abs(ahead) > TOLERANCE ? ahead : 0;
  }
}

/** That of the server which this page came from. */
export const serverClock = new ServerClock(() => Date.now());
