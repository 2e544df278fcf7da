/** Logs at once, then at most once per period with the number of lines left out: bad input must not fill the log. */
export class RateLimitedLog {
  private silentUntil = 0;
  private suppressed = 0;

  constructor(
    private readonly everyMs = 10_000,
    private readonly now: () => number = Date.now,
  ) {}

  /** `write` gets the number of lines that were left out since the last one. */
  log(write: (leftOut: number) => void): void {
    if (this.now() < this.silentUntil) {
      this.suppressed++;
      return;
    }
    this.silentUntil = this.now() + this.everyMs;
    write(this.suppressed);
    this.suppressed = 0;
  }
}
