export interface KeptAnswersOptions<T> {
  /** Requests a value from its source; undefined if there is none. */
  readonly ask: (key: string) => Promise<T | undefined>;
  /** How long an answer is used, milliseconds since it was requested. */
  readonly keptMs: number;
  /** The time in milliseconds; it never decreases. */
  readonly now?: () => number;
}

interface Reading<T> {
  readonly answer: Promise<T | undefined>;
  readonly askedAt: number;
  /** Whether its refresh is running or has failed. */
  isRenewed: boolean;
}

/** The share of its time after which an answer is refreshed, so that no caller waits when it expires. */
const RENEWED_AFTER = 2 / 3;
const MAX_KEPT = 10_000;

/**
 * Cache of answers that are requested often: concurrent callers share one request, and an answer that is still in use
 * is refreshed before it expires. Missing values and failures are not cached: a value may appear at any time, and a
 * failed request is retried.
 */
export class KeptAnswers<T> {
  private readonly readings = new Map<string, Reading<T>>();
  private readonly options: Required<KeptAnswersOptions<T>>;

  constructor(options: KeptAnswersOptions<T>) {
    this.options = { now: () => performance.now(), ...options };
  }

  /** Rejects when the request fails. */
  get(key: string): Promise<T | undefined> {
    const now = this.options.now();
    const kept = this.readings.get(key);
    if (kept === undefined || now - kept.askedAt >= this.options.keptMs) return this.askAnew(key);
    if (!kept.isRenewed && now - kept.askedAt >= this.options.keptMs * RENEWED_AFTER) void this.renew(key, kept);
    return kept.answer;
  }

  /** To be called after a change; an answer that is under way may be from before, and is not cached either. */
  forget(key: string): void {
    this.readings.delete(key);
  }

  private askAnew(key: string): Promise<T | undefined> {
    if (this.readings.size >= MAX_KEPT) this.readings.clear();
    // Cached from the beginning: a change that is reported meanwhile removes an answer that may be from before it.
    const reading = this.ask(key);
    this.readings.set(key, reading);
    void this.forgetIfNothing(key, reading);
    return reading.answer;
  }

  private async renew(key: string, kept: Reading<T>): Promise<void> {
    kept.isRenewed = true;
    const reading = this.ask(key);
    try {
      const answer = await reading.answer;
      if (this.readings.get(key) !== kept) return;
      if (answer === undefined) this.readings.delete(key);
      else this.readings.set(key, reading);
    } catch {
      // When the cached answer expires it is requested once more; the caller then gets the error.
    }
  }

  private ask(key: string): Reading<T> {
    // Before the request: the answer may be of any moment from then on.
    const askedAt = this.options.now();
    return { answer: this.options.ask(key), askedAt, isRenewed: false };
  }

  private async forgetIfNothing(key: string, reading: Reading<T>): Promise<void> {
    // The caller that requested the answer gets the error.
    const answer = await reading.answer.catch(() => undefined);
    if (answer === undefined && this.readings.get(key) === reading) this.readings.delete(key);
  }
}
