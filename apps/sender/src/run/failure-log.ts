import type { Logger } from '@ringdown/observability';
import type { RequestFailure } from '@ringdown/call-capture';

/** How many kinds of failures a line names. */
const SHOWN = 10;

/** Logs at intervals which requests failed, the most frequent first. Nothing failed: no line. */
export class FailureLog {
  private readonly counts = new Map<string, { readonly failure: RequestFailure; count: number }>();
  private loggedAt: number | undefined;

  /** `intervalMs`: 0 for no lines. */
  constructor(
    private readonly logger: Logger,
    private readonly intervalMs: number,
  ) {}

  add(failure: RequestFailure): void {
    if (this.intervalMs === 0) return;
    const key = Object.values(failure).join(' ');
    const known = this.counts.get(key);
    if (known) known.count++;
    else this.counts.set(key, { failure, count: 1 });
  }

  /** Call it about each second. `now`: by a monotonic clock, milliseconds. */
  sweep(now: number): void {
    this.loggedAt ??= now;
    if (now - this.loggedAt < this.intervalMs) return;
    this.loggedAt = now;
    if (this.counts.size === 0) return;
    const sorted = [...this.counts.values()].toSorted((a, b) => b.count - a.count);
    const total = sorted.reduce((sum, { count }) => sum + count, 0);
    const requests = sorted.slice(0, SHOWN).map(({ failure, count }) => ({ ...failure, count }));
    this.counts.clear();
    this.logger.warn({ total, seconds: this.intervalMs / 1_000, requests }, 'SIP requests failed');
  }
}
