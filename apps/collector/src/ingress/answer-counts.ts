import type { FrontEndAnswers } from '@ringdown/contracts';

/** Far more than a platform has front ends; whoever invents names only makes others' numbers start again. */
const MAX_FRONT_ENDS = 10_000;

/** {@link FrontEndAnswers} that go on. */
type Counted = { -readonly [K in keyof FrontEndAnswers]: FrontEndAnswers[K] };

/**
 * `Count` of the feed's replies (spec, "Diagnostics collector"): it increases by one with each request answered, per
 * front end, and starts at 1 with the process. Requests for the configuration are requests and count too: a sender's
 * sequence numbers start anew at 2 after an outage, with the configuration as the first request.
 */
export class AnswerCounts {
  /** By lower-cased name; the least recently heard of stands first. */
  private readonly answers = new Map<string, Counted>();

  constructor(
    private readonly maxFrontEnds = MAX_FRONT_ENDS,
    /** Our clock, milliseconds since 1970. */
    private readonly now: () => number = Date.now,
  ) {}

  /** The number of the answer that is about to be given. Requests that name no front end are counted together. */
  next(frontEnd = ''): number {
    return ++this.heardOf(frontEnd).count;
  }

  /** A record of it could not be stored: it was answered with 503, which has no number. */
  lost(frontEnd = ''): void {
    this.heardOf(frontEnd).unavailable++;
  }

  /** What this front end, in any case, was answered; undefined when it was not. */
  of(frontEnd: string): FrontEndAnswers | undefined {
    return this.answers.get(frontEnd.toLowerCase());
  }

  private heardOf(frontEnd: string): Counted {
    const name = frontEnd.toLowerCase();
    const now = this.now();
    const answers = this.answers.get(name) ?? { count: 0, unavailable: 0, firstAt: now, lastAt: now };
    answers.lastAt = now;
    this.answers.delete(name);
    this.answers.set(name, answers);
    if (this.answers.size > this.maxFrontEnds) this.forgetOldest();
    return answers;
  }

  private forgetOldest(): void {
    for (const name of this.answers.keys()) {
      this.answers.delete(name);
      return;
    }
  }
}
