export interface ActivityReportsOptions {
  readonly report: () => Promise<void>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Seldom enough not to matter, and often enough for the four minutes that the interface wants (section 3). */
const EVERY_MS = 60 * 1000;

/** Tells the server that the user is there while the user does something here: `active` may be called at every key. */
export class ActivityReports {
  private reportedAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: ActivityReportsOptions) {}

  /** Rejects when the server could not be told; then the next call tries again. */
  async active(): Promise<void> {
    const before = this.reportedAt;
    const now = this.options.now();
    if (now - before < EVERY_MS) return;
    this.reportedAt = now;
    try {
      await this.options.report();
    } catch (error) {
      this.reportedAt = before;
      throw error;
    }
  }
}
