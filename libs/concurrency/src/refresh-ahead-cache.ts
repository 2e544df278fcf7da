export interface RefreshAheadCacheOptions<T> {
  /** Requests a value from its source; undefined if there is none. */
  readonly load: (key: string) => Promise<T | undefined>;
  /** How long an answer is used, milliseconds since it was requested. */
  readonly maxAgeMs: number;
  /** The time in milliseconds; it never decreases. */
  readonly now?: () => number;
}

interface CacheEntry<T> {
  readonly answer: Promise<T | undefined>;
  readonly requestedAt: number;
  /** Whether its refresh is running or has failed. */
  isRefreshed: boolean;
}

/** The share of its time after which an answer is refreshed, so that no caller waits when it expires. */
const REFRESHED_AFTER = 2 / 3;
const MAX_ENTRIES = 10_000;

/**
 * Cache of answers that are requested often: concurrent callers share one request, and an answer that is still in use
 * is refreshed before it expires. Missing values and failures are not cached: a value may appear at any time, and a
 * failed request is retried.
 */
export class RefreshAheadCache<T> {
  private readonly entries = new Map<string, CacheEntry<T>>();
  private readonly options: Required<RefreshAheadCacheOptions<T>>;

  constructor(options: RefreshAheadCacheOptions<T>) {
    this.options = { now: () => performance.now(), ...options };
  }

  /** Rejects when the request fails. */
  get(key: string): Promise<T | undefined> {
    const now = this.options.now();
    const cached = this.entries.get(key);
    if (cached === undefined || now - cached.requestedAt >= this.options.maxAgeMs) return this.request(key);
    if (!cached.isRefreshed && now - cached.requestedAt >= this.options.maxAgeMs * REFRESHED_AFTER)
      void this.refresh(key, cached);
    return cached.answer;
  }

  /** However old it is, for a caller who notices that it has changed; requested only if nothing is known. */
  latest(key: string): Promise<T | undefined> {
    return this.entries.get(key)?.answer ?? this.request(key);
  }

  /** For a value that the caller has from the source, or has just stored there. */
  set(key: string, value: T): void {
    this.makeRoom();
    const requestedAt = this.options.now();
    this.entries.set(key, { answer: Promise.resolve(value), requestedAt, isRefreshed: false });
  }

  /** To be called after a change; an answer that is under way may be from before, and is not cached either. */
  forget(key: string): void {
    this.entries.delete(key);
  }

  private request(key: string): Promise<T | undefined> {
    this.makeRoom();
    // Cached from the beginning: a change that is reported meanwhile removes an answer that may be from before it.
    const entry = this.startRequest(key);
    this.entries.set(key, entry);
    void this.forgetMissing(key, entry);
    return entry.answer;
  }

  private makeRoom(): void {
    if (this.entries.size >= MAX_ENTRIES) this.entries.clear();
  }

  private async refresh(key: string, cached: CacheEntry<T>): Promise<void> {
    cached.isRefreshed = true;
    const entry = this.startRequest(key);
    try {
      const answer = await entry.answer;
      if (this.entries.get(key) !== cached) return;
      if (answer === undefined) this.entries.delete(key);
      else this.entries.set(key, entry);
    } catch {
      // When the cached answer expires it is requested once more; the caller then gets the error.
    }
  }

  private startRequest(key: string): CacheEntry<T> {
    // Before the request: the answer may be of any moment from then on.
    const requestedAt = this.options.now();
    return { answer: this.options.load(key), requestedAt, isRefreshed: false };
  }

  private async forgetMissing(key: string, entry: CacheEntry<T>): Promise<void> {
    // The caller that requested the answer gets the error.
    const answer = await entry.answer.catch(() => undefined);
    if (answer === undefined && this.entries.get(key) === entry) this.entries.delete(key);
  }
}
