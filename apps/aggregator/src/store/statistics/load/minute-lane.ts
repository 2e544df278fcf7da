import type { MinuteLoad } from '../hours/packed-minutes.js';
import { MINUTE_MS } from './load-sums.js';

/** Where the minutes of a series go, in ascending order and without those in which nothing was. */
export interface MinuteSum {
  add(minute: number, load: Omit<MinuteLoad, 'minute'>): void;
}

/** The load of one series, moment by moment, and the maximum of each minute. */
export class MinuteLane {
  private minute: number;
  /** Twice the time of the last step, and one more if something began then. */
  private moment = -1;
  private calls = 0;
  private average = 0;
  private maximum = 0;
  private mostCalls = 0;
  private mostAverage = 0;
  private mostMaximum = 0;
  private begun = 0;

  constructor(
    private readonly sum: MinuteSum,
    from: number,
  ) {
    this.minute = Math.floor(from / MINUTE_MS);
  }

  /** Steps of the same moment are one. Parameters, because a history has millions of them. */
  step(moment: number, calls: number, average: number, maximum: number, attempts: number): void {
    if (moment !== this.moment) {
      this.note();
      this.moveTo(Math.floor(moment / 2));
      this.moment = moment;
    }
    this.calls += calls;
    this.average += average;
    this.maximum += maximum;
    this.begun += attempts;
  }

  end(at: number): void {
    this.note();
    this.moveTo(at);
  }

  private note(): void {
    if (this.calls > this.mostCalls) this.mostCalls = this.calls;
    if (this.average > this.mostAverage) this.mostAverage = this.average;
    if (this.maximum > this.mostMaximum) this.mostMaximum = this.maximum;
  }

  private moveTo(at: number): void {
    const minute = Math.floor(at / MINUTE_MS);
    while (this.minute < minute) {
      this.addMinute();
      this.minute++;
      // What ends when a minute begins is not of it.
      const lasts = this.minute < minute || at > minute * MINUTE_MS;
      this.mostCalls = lasts ? this.calls : 0;
      this.mostAverage = lasts ? this.average : 0;
      this.mostMaximum = lasts ? this.maximum : 0;
      this.begun = 0;
    }
  }

  private addMinute(): void {
    const { mostCalls: calls, mostAverage: average, mostMaximum: maximum, begun } = this;
    if (calls > 0 || average > 0 || maximum > 0 || begun > 0)
      this.sum.add(this.minute, { calls, average, maximum, begun });
  }
}
