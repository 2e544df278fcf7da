import type { Logger } from './logger.js';

export interface OutageLogOptions {
  readonly logger: Logger;
  /** What does not work, and that it is tried again. */
  readonly failure: string;
  /** That it works again. */
  readonly recovery: string;
  /** Stands in every line. */
  readonly about?: object;
  /** Our clock, milliseconds since 1970. */
  readonly now?: () => number;
}

/** Between the first line of an outage and the second; each further line comes twice as long after the one before. */
const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 600_000;

/**
 * Says in the log that something fails which is tried again and again by several: at once, then more and more seldom for
 * as long as it lasts, and that it works again. An outage that comes back soon goes on where its lines were.
 */
export class OutageLog {
  private readonly failing = new Set<number | string>();
  private readonly now: () => number;
  private pauseMs = 0;
  private saidAt = -Infinity;
  private saidSinceRecovery = false;

  constructor(private readonly options: OutageLogOptions) {
    this.now = options.now ?? Date.now;
  }

  /** `who`: one of those that try. `details` stand in the line. */
  failed(who: number | string, reason: string, details: object = {}): void {
    const { logger, failure, about } = this.options;
    const now = this.now();
    this.failing.add(who);
    if (now - this.saidAt > 2 * LONGEST_PAUSE_MS) this.pauseMs = 0;
    if (now - this.saidAt < this.pauseMs) return;
    this.saidAt = now;
    this.pauseMs = Math.min(Math.max(FIRST_PAUSE_MS, this.pauseMs * 2), LONGEST_PAUSE_MS);
    this.saidSinceRecovery = true;
    const nextLineInSeconds = this.pauseMs / 1_000;
    logger.warn({ ...about, ...details, reason, failing: this.failing.size, nextLineInSeconds }, failure);
  }

  worked(who: number | string): void {
    if (!this.failing.delete(who) || this.failing.size > 0 || !this.saidSinceRecovery) return;
    this.saidSinceRecovery = false;
    const { logger, recovery, about = {} } = this.options;
    logger.info(about, recovery);
  }

  /** Tries no more. */
  left(who: number | string): void {
    this.failing.delete(who);
  }
}
