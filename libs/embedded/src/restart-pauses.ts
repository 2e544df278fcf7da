/** Between the end of a server and its next start; each end or failed start that follows soon doubles it. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 8_000;
/** A server that has run for this long works: its next end is a new one. */
const STEADY_MS = 120_000;

/** How long to wait before a server is started again. */
export class RestartPauses {
  private nextMs = FIRST_PAUSE_MS;
  private readyAt: number | undefined;
  private isFirst = true;

  /** `now`: milliseconds of a clock that only goes on. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** To be called when the server accepts its work. */
  ready(): void {
    this.readyAt = this.now();
  }

  /** To be called when it has ended: whether that comes soon after another end, from which it was started again. */
  endsAgain(): boolean {
    if (this.readyAt !== undefined && this.now() - this.readyAt >= STEADY_MS) {
      this.nextMs = FIRST_PAUSE_MS;
      this.isFirst = true;
    }
    const isAgain = !this.isFirst;
    this.isFirst = false;
    return isAgain;
  }

  /** Milliseconds to wait before the next start. */
  next(): number {
    const pauseMs = this.nextMs;
    this.nextMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    return pauseMs;
  }
}
