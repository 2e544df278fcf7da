import { countEvent, type WindowCount } from './rates.js';

export interface RateLimitOptions {
  /** The maximum of events of one key in one window. */
  readonly limit: number;
  /** Default: a minute. */
  readonly windowMs?: number;
  /** The time in milliseconds. Default: of a clock that is never set back. */
  readonly now?: () => number;
}

const MINUTE_MS = 60_000;
/** Keys that are counted; those without events for the longest time are forgotten first. */
const MAX_KEYS = 50_000;

/** Counts events of each key, like a user or an address, in windows that begin with the first event. */
export class RateLimit {
  /** In the order of their last event. */
  private readonly counts = new Map<string, WindowCount>();
  private readonly limit: number;
  private readonly windowMs: number;
  private readonly now: () => number;

  constructor({ limit, windowMs = MINUTE_MS, now = () => performance.now() }: RateLimitOptions) {
    this.limit = limit;
    this.windowMs = windowMs;
    this.now = now;
  }

  /** Counts one event. Returns the whole seconds until the next window, at least 1, when it exceeds the limit. */
  add(key: string): number | undefined {
    const now = this.now();
    const next = countEvent(this.counts.get(key), this.windowMs, now);
    this.counts.delete(key);
    this.counts.set(key, next);
    const [leastRecent] = this.counts.keys();
    if (leastRecent !== undefined && this.counts.size > MAX_KEYS) this.counts.delete(leastRecent);
    return this.secondsToWait(next, now);
  }

  /** Counts nothing. Returns what {@link add} would. */
  check(key: string): number | undefined {
    const now = this.now();
    const next = countEvent(this.counts.get(key), this.windowMs, now);
    return this.secondsToWait(next, now);
  }

  /** Whether an event is counted. */
  has(key: string): boolean {
    return this.counts.has(key);
  }

  forget(key: string): void {
    this.counts.delete(key);
  }

  private secondsToWait({ count, since }: WindowCount, now: number): number | undefined {
    return count > this.limit ? Math.max(1, Math.ceil((since + this.windowMs - now) / 1_000)) : undefined;
  }
}
