import { setTimeout as sleep } from 'node:timers/promises';

export interface BackOffOptions {
  /** Failures in a row that are followed by no pause. */
  readonly patience: number;
  /** Longest pause, seconds; each further failure makes it a second longer up to that. */
  readonly mostSeconds: number;
}

/** Even without a pause a receiver that is not there is not asked in a closed loop. */
const SHORTEST_MS = 100;

/** Slows all requests to one receiver down while it fails (diagnostics-feed.md, 4.2). */
export class BackOff {
  private failures = 0;
  private failedAt = 0;
  private until = 0;

  constructor(
    private readonly options: BackOffOptions,
    private readonly now: () => number = Date.now,
  ) {}

  /** What is left of the pause, milliseconds. */
  get pauseMs(): number {
    return Math.max(0, this.until - this.now());
  }

  succeeded(): void {
    this.failures = 0;
    this.until = 0;
  }

  /**
   * `startedAt`: when the failed request was sent. Requests that were under way together fail together, and count once.
   * `atLeastMs`: what the receiver asked for.
   */
  failed(startedAt: number, atLeastMs = 0): void {
    if (this.failures > 0 && startedAt < this.failedAt) return;
    this.failures++;
    this.failedAt = this.now();
    const most = this.options.mostSeconds * 1_000;
    const own = Math.min(Math.max(0, this.failures - this.options.patience) * 1_000, most);
    this.until = this.failedAt + Math.max(own, Math.min(atLeastMs, most), SHORTEST_MS);
  }

  /** Until requests may be sent; ends early when `signal` is aborted. */
  async ready(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.pauseMs > 0) {
      await sleep(this.pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
