import type { Logger } from './logger.js';

export interface OutageLogOptions {
  readonly logger: Logger;
  /** The log line for what has failed and is retried. */
  readonly failure: string;
  /** The log line for the recovery. */
  readonly recovery: string;
  /** Fields of every line. */
  readonly about?: object;
  /** Our clock, milliseconds since 1970. */
  readonly now?: () => number;
}

/** Between the first line of an outage and the second; each later pause is twice as long as the one before. */
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 600_000;

/**
 * Logs that something fails which several retry: at once, then more and more rarely for as long as it lasts, and when
 * it works again. An outage that comes back soon continues the pauses of the previous one.
 */
export class OutageLog {
  private readonly failing = new Set<number | string>();
  private readonly now: () => number;
  private pauseMs = 0;
  private loggedAt = -Infinity;
  private loggedSinceRecovery = false;

  constructor(private readonly options: OutageLogOptions) {
    this.now = options.now ?? Date.now;
  }

  /** `source`: which of those that retry, by its name or number. `details`: fields of the line. */
  failed(source: number | string, reason: string, details: object = {}): void {
    const { logger, failure, about } = this.options;
    const now = this.now();
    this.failing.add(source);
    if (now - this.loggedAt > 2 * LONGEST_PAUSE_MS) this.pauseMs = 0;
    if (now - this.loggedAt < this.pauseMs) return;
    this.loggedAt = now;
    this.pauseMs = Math.min(Math.max(FIRST_PAUSE_MS, this.pauseMs * 2), LONGEST_PAUSE_MS);
    this.loggedSinceRecovery = true;
    const nextLineInSeconds = this.pauseMs / 1_000;
    logger.warn({ ...about, ...details, reason, failing: this.failing.size, nextLineInSeconds }, failure);
  }

  succeeded(source: number | string): void {
    if (!this.failing.delete(source) || this.failing.size > 0 || !this.loggedSinceRecovery) return;
    this.loggedSinceRecovery = false;
    const { logger, recovery, about = {} } = this.options;
    logger.info(about, recovery);
  }

  /** To be called when one stops retrying. */
  remove(source: number | string): void {
    this.failing.delete(source);
  }
}
