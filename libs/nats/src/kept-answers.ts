export interface KeptAnswersOptions<T> {
  /** Asks whoever knows; undefined where there is nothing. */
  readonly ask: (key: string) => Promise<T | undefined>;
  /** How long an answer is believed, milliseconds since it was asked for. */
  readonly keptMs: number;
  /** Tells the time in milliseconds; it never goes back. */
  readonly now?: () => number;
}

interface Reading<T> {
  readonly answer: Promise<T | undefined>;
  readonly askedAt: number;
  /** Whether it is being asked for again, or that has failed. */
  isRenewed: boolean;
}

/** The share of its time after which an answer is asked for again, so that nobody has to wait when that is over. */
const RENEWED_AFTER = 2 / 3;
const MAX_KEPT = 10_000;

/**
 * Answers that are asked for again and again: each is asked for once by all who want it, and while it is wanted once more
 * before its time is over. What is missing may come at any time, and what could not be asked is tried again: neither is kept.
 */
export class KeptAnswers<T> {
  private readonly readings = new Map<string, Reading<T>>();
  private readonly options: Required<KeptAnswersOptions<T>>;

  constructor(options: KeptAnswersOptions<T>) {
    this.options = { now: () => performance.now(), ...options };
  }

  /** Fails as the asking does. */
  get(key: string): Promise<T | undefined> {
    const now = this.options.now();
    const kept = this.readings.get(key);
    if (kept === undefined || now - kept.askedAt >= this.options.keptMs) return this.askAnew(key);
    if (!kept.isRenewed && now - kept.askedAt >= this.options.keptMs * RENEWED_AFTER) void this.renew(key, kept);
    return kept.answer;
  }

  /** For what has changed; an answer that is on its way may be from before, and is not kept either. */
  forget(key: string): void {
    this.readings.delete(key);
  }

  private askAnew(key: string): Promise<T | undefined> {
    if (this.readings.size >= MAX_KEPT) this.readings.clear();
    // Kept from the beginning: a change that is heard of meanwhile ends what may be from before it.
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
      // It is asked for once more when the time of what is kept is over; whoever wants it then gets to know of the failure.
    }
  }

  private ask(key: string): Reading<T> {
    // Before asking: the answer may be of any moment from then on.
    const askedAt = this.options.now();
    return { answer: this.options.ask(key), askedAt, isRenewed: false };
  }

  private async forgetIfNothing(key: string, reading: Reading<T>): Promise<void> {
    // Whoever has asked gets to know of the failure.
    const answer = await reading.answer.catch(() => undefined);
    if (answer === undefined && this.readings.get(key) === reading) this.readings.delete(key);
  }
}
