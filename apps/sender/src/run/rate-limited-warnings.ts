import { RateLimitedLog, type Logger } from '@ringdown/observability';

/** Limits warnings of a kind to one per interval: bad input arrives by the thousands, and a line for each would fill the disk. */
export class RateLimitedWarnings {
  private readonly lines = new Map<string, RateLimitedLog>();

  constructor(
    private readonly logger: Logger,
    private readonly everyMs = 10_000,
    private readonly now: () => number = performance.now.bind(performance),
  ) {}

  /** `kind`: one of a few; the log line has the number of warnings of this kind since the previous line. */
  warn(kind: string, detail: string): void {
    const line = this.lines.get(kind) ?? new RateLimitedLog(this.everyMs, this.now);
    this.lines.set(kind, line);
    line.log((leftOut) => this.logger.warn({ detail, times: leftOut + 1 }, kind));
  }
}
