/** How many of the last times count. */
const SAMPLES = 31;

/** How long an operation usually takes: the median of the last times, so that one long delay does not change it. */
export class UsualTime {
  private readonly times: number[] = [];

  /** Milliseconds; 0 before the first. */
  get ms(): number {
    return this.times.toSorted((a, b) => a - b)[Math.floor(this.times.length / 2)] ?? 0;
  }

  record(ms: number): void {
    this.times.push(ms);
    if (this.times.length > SAMPLES) this.times.shift();
  }
}
