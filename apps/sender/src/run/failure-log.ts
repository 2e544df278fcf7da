import { FailureCounts, type RequestFailure } from '@ringdown/call-capture';
import type { Logger } from '@ringdown/observability';

/** How many kinds of failures a line names. */
const SHOWN = 10;

/** Logs at intervals which requests failed, the most frequent first. Nothing failed: no line. */
export class FailureLog {
  private readonly counts = new FailureCounts();
  private loggedAt: number | undefined;

  /** `intervalMs`: 0 for no lines. */
  constructor(
    private readonly logger: Logger,
    private readonly intervalMs: number,
  ) {}

  add(failure: RequestFailure): void {
    if (this.intervalMs > 0) this.counts.add(failure);
  }

  /** Call it about each second. `now`: by a monotonic clock, milliseconds. */
  sweep(now: number): void {
    this.loggedAt ??= now;
    if (now - this.loggedAt < this.intervalMs) return;
    this.loggedAt = now;
    const { total } = this.counts;
    if (total === 0) return;
    const requests = this.counts.top(SHOWN);
    this.counts.clear();
    this.logger.warn({ total, seconds: this.intervalMs / 1_000, requests }, 'SIP requests failed');
  }
}
