import { HOUR_MS, type Span } from '../hours/counted-time.js';
import type { HourLoad } from '../hours/hour-loads.js';
import type { MinuteLoad } from '../hours/packed-minutes.js';

const MINUTE_MS = 60_000;
const MINUTES_OF_HOUR = HOUR_MS / MINUTE_MS;

/** What begins or ends at a moment. */
interface Step {
  /** Milliseconds from the beginning of the span. */
  readonly at: number;
  /** At the same moment, all ends come before all beginnings. */
  readonly begins: boolean;
  readonly calls: number;
  readonly average: number;
  readonly maximum: number;
}

/** What lasts from one time to another. */
export interface Lasting {
  readonly from: number;
  readonly to: number;
}

/** The load of one value in a span of hours, by minutes: what `loadSums` says of buckets of a minute. */
export class LoadSweep {
  private readonly steps: Step[] = [];
  private readonly begun: number[];
  private readonly calls: number[];
  private readonly averages: number[];
  private readonly maximums: number[];

  constructor(private readonly span: Span) {
    const length = (span.to.getTime() - span.from.getTime()) / MINUTE_MS;
    [this.begun, this.calls, this.averages, this.maximums] = [
      zeros(length),
      zeros(length),
      zeros(length),
      zeros(length),
    ];
  }

  /** Times are milliseconds since 1970. */
  addCall({ from, to }: Lasting): void {
    const began = from - this.span.from.getTime();
    if (began >= 0) this.begun[minuteOf(began)] = (this.begun[minuteOf(began)] ?? 0) + 1;
    this.addSteps({ from, to }, { calls: 1, average: 0, maximum: 0 });
  }

  addStream(lasting: Lasting, average: number, maximum: number): void {
    this.addSteps(lasting, { calls: 0, average, maximum });
  }

  private addSteps({ from, to }: Lasting, { calls, average, maximum }: Omit<Step, 'at' | 'begins'>): void {
    const first = this.span.from.getTime();
    this.steps.push(
      { at: Math.max(from - first, 0), begins: true, calls, average, maximum },
      { at: to - first, begins: false, calls: -calls, average: -average, maximum: -maximum },
    );
  }

  /** Only minutes in which there was something. */
  hours(value: string | null): readonly HourLoad[] {
    this.sweep();
    const minutes = this.calls.map((calls, minute): MinuteLoad => {
      const [average = 0, maximum = 0, begun = 0] = [this.averages, this.maximums, this.begun].map(
        (all) => all[minute],
      );
      return { minute, calls, average, maximum, begun };
    });
    const filled = minutes.filter(({ calls, average, maximum, begun }) => calls + average + maximum + begun > 0);
    const byHour = Map.groupBy(filled, ({ minute }) => Math.floor(minute / MINUTES_OF_HOUR));
    return [...byHour].map(([number, ofHour]) => {
      return {
        hour: this.span.from.getTime() + number * HOUR_MS,
        value,
        attempts: ofHour.reduce((sum, { begun }) => sum + begun, 0),
        minutes: ofHour.map((load) => ({ ...load, minute: load.minute % MINUTES_OF_HOUR })),
      };
    });
  }

  private sweep(): void {
    const now = { calls: 0, average: 0, maximum: 0 };
    let minute = -1;
    const noteUntil = (end: number, at: number): void => {
      for (; minute < end; minute++) {
        // What ends when a minute begins is not of it.
        if (minute + 1 < end || at > end * MINUTE_MS) this.note(minute + 1, now);
      }
    };
    const steps = this.steps.toSorted((a, b) => a.at - b.at || Number(a.begins) - Number(b.begins));
    for (const [n, step] of steps.entries()) {
      const own = minuteOf(step.at);
      if (own >= this.calls.length) break;
      noteUntil(own, step.at);
      now.calls += step.calls;
      now.average += step.average;
      now.maximum += step.maximum;
      const next = steps[n + 1];
      if (next?.at !== step.at || next.begins !== step.begins) this.note(own, now);
    }
    noteUntil(this.calls.length - 1, Infinity);
  }

  private note(minute: number, { calls, average, maximum }: Pick<Step, 'calls' | 'average' | 'maximum'>): void {
    this.calls[minute] = Math.max(this.calls[minute] ?? 0, calls);
    this.averages[minute] = Math.max(this.averages[minute] ?? 0, average);
    this.maximums[minute] = Math.max(this.maximums[minute] ?? 0, maximum);
  }
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0);
}

function minuteOf(time: number): number {
  return Math.floor(time / MINUTE_MS);
}
