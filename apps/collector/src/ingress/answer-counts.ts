import type { FrontEndAnswers } from '@ringdown/contracts/front-end-answers';

/** Far more front ends than a platform has; a sender that invents names only makes the counts of others start again. */
const MAX_FRONT_ENDS = 10_000;

/** {@link FrontEndAnswers} that are still counted. */
type Counted = { -readonly [K in keyof FrontEndAnswers]: FrontEndAnswers[K] };

/**
 * `Count` of the feed's replies (diagnostics-feed.md, 1): it increases by one with each reply, per front end,
 * and starts at 1 with the process. Requests for the configuration count too: after an outage, a sender's sequence
 * numbers start again at 2, with the configuration as the first request.
 */
export class AnswerCounts {
  /** By lower-cased name; the front end that has been silent longest is first. */
  private readonly answers = new Map<string, Counted>();

  constructor(
    private readonly maxFrontEnds = MAX_FRONT_ENDS,
    /** Our clock, milliseconds since 1970. */
    private readonly now: () => number = Date.now,
  ) {}

  /** The number of the next reply. Requests that do not name a front end are counted together. */
  next(frontEnd = ''): number {
    return ++this.countsOf(frontEnd).count;
  }

  /** A record of the front end could not be stored: the reply was 503, which is not numbered. */
  lost(frontEnd = ''): void {
    this.countsOf(frontEnd).unavailable++;
  }

  /** The replies to this front end, in upper or lower case; undefined when there were none. */
  of(frontEnd: string): FrontEndAnswers | undefined {
    return this.answers.get(frontEnd.toLowerCase());
  }

  private countsOf(frontEnd: string): Counted {
    const name = frontEnd.toLowerCase();
    const now = this.now();
    const answers = this.answers.get(name) ?? { count: 0, unavailable: 0, firstAt: now, lastAt: now };
    answers.lastAt = now;
    this.answers.delete(name);
    this.answers.set(name, answers);
    if (this.answers.size > this.maxFrontEnds) this.evictOldest();
    return answers;
  }

  private evictOldest(): void {
    for (const name of this.answers.keys()) {
      this.answers.delete(name);
      return;
    }
  }
}
