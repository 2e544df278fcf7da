import { setTimeout as sleep } from 'node:timers/promises';

export interface BackOffOptions {
  /** Failures in a row before the pause grows. */
  readonly failuresBeforeBackOff: number;
  /** Longest pause, seconds; each further failure adds a second up to this. */
  readonly mostSeconds: number;
}

/** Prevents a busy loop of requests while the receiver is not reachable. */
const SHORTEST_MS = 100;

/** Slows all requests to one receiver down while it fails (diagnostics-feed.md, 4.2). */
export class BackOff {
  private failures = 0;
  private failedAt = 0;
  private until = 0;

  constructor(
    private readonly options: BackOffOptions,
    /** A monotonic clock, milliseconds. */
    private readonly now = (): number => performance.now(),
  ) {}

  /** The rest of the pause, milliseconds. */
  get pauseMs(): number {
    return Math.max(0, this.until - this.now());
  }

  succeeded(): void {
    this.failures = 0;
    this.until = 0;
  }

  /**
   * `startedAt`: when the failed request was sent, by `performance.now()`. Concurrent requests fail together, and count once.
   * `atLeastMs`: the pause that the receiver requested.
   */
  failed(startedAt: number, atLeastMs = 0): void {
    if (this.failures > 0 && startedAt < this.failedAt) return;
    this.failures++;
    this.failedAt = this.now();
    const most = this.options.mostSeconds * 1_000;
    const own = Math.min(Math.max(0, this.failures - this.options.failuresBeforeBackOff) * 1_000, most);
    this.until = this.failedAt + Math.max(own, Math.min(atLeastMs, most), SHORTEST_MS);
  }

  /** Waits until requests may be sent; ends early when `signal` is aborted. */
  async ready(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && this.pauseMs > 0) {
      await sleep(this.pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
