/** Far more than a platform has front ends; whoever invents names only makes others' numbers start again. */
const MAX_FRONT_ENDS = 10_000;

/**
 * `Count` of the feed's replies (spec, "Diagnostics collector"): it increases by one with each request answered, per
 * front end, and starts at 1 with the process. Requests for the configuration are requests and count too: a sender's
 * sequence numbers start anew at 2 after an outage, with the configuration as the first request.
 */
export class AnswerCounts {
  /** By lower-cased name; the least recently heard of stands first. */
  private readonly counts = new Map<string, number>();

  constructor(private readonly maxFrontEnds = MAX_FRONT_ENDS) {}

  /** The number of the answer that is about to be given. Requests that name no front end are counted together. */
  next(frontEnd = ''): number {
    const name = frontEnd.toLowerCase();
    const count = (this.counts.get(name) ?? 0) + 1;
    this.counts.delete(name);
    this.counts.set(name, count);
    if (this.counts.size > this.maxFrontEnds) this.forgetOldest();
    return count;
  }

  private forgetOldest(): void {
    for (const name of this.counts.keys()) {
      this.counts.delete(name);
      return;
    }
  }
}
