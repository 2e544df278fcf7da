import { MinuteLane, type MinuteSum } from './minute-lane.js';

const DAY_MS = 86_400_000;
/** Numbers of an event: when, what of ({@link MinuteLane}), and of which series. */
const [STRIDE, BEGINS, CALLS, AVERAGE, MAXIMUM, ATTEMPTS, SERIES] = [7, 1, 2, 3, 4, 5, 6];
const FEW_EVENTS = 1_024;
/** Events of a day. Beside their number, that by which they are sorted has the 28 bits of a moment of a day. */
const MOST_EVENTS = 2 ** 25;

/**
 * Adds up what begins and ends, of several series in one pass, to the load of their minutes: what `loadSums` says of buckets of a minute. Times
 * are milliseconds. What has been swept needs no memory any more, so that weeks are added up by days.
 */
export class LoadSweep {
  private readonly lanes: (MinuteLane | undefined)[] = [];
  private events = new Float64Array(STRIDE * FEW_EVENTS);
  private added = 0;
  /** From here on, times are those since `first`. */
  private readonly from: number;
  private readonly to: number;
  private swept: number;

  /** [from, to), both at the beginning of a minute. What began before counts from there. Minutes are counted from `first`. */
  constructor(
    { from, to }: { readonly from: number; readonly to: number },
    private readonly first = from,
  ) {
    this.from = from - first;
    this.to = to - first;
    this.swept = this.from;
  }

  /** Of series that are not there nothing is added up. */
  addSeries(series: number, sum: MinuteSum): void {
    this.lanes[series] = new MinuteLane(sum, this.from);
  }

  addCall(series: number, from: number, until: number): void {
    if (this.lanes[series] === undefined) return;
    const [begin, end] = [from - this.first, until - this.first];
    this.addEvent(series, Math.max(begin, this.from), 1, 1, 0, 0, begin >= this.from ? 1 : 0);
    this.addEvent(series, Math.max(end, this.from), 0, -1, 0, 0, 0);
  }

  addStream(series: number, from: number, until: number, average: number, maximum: number): void {
    if (this.lanes[series] === undefined || (average <= 0 && maximum <= 0)) return;
    this.addEvent(series, Math.max(from - this.first, this.from), 1, 0, average, maximum, 0);
    this.addEvent(series, Math.max(until - this.first, this.from), 0, 0, -average, -maximum, 0);
  }

  /** Parameters and one array, because there are millions of events. */
  private addEvent(
    series: number,
    at: number,
    begins: 0 | 1,
    calls: number,
    average: number,
    maximum: number,
    attempts: number,
  ): void {
    if (at >= this.to) return;
    const { added } = this;
    if (added + STRIDE > this.events.length) this.events = enlarged(this.events);
    const { events } = this;
    events[added] = at;
    events[added + BEGINS] = begins;
    events[added + CALLS] = calls;
    events[added + AVERAGE] = average;
    events[added + MAXIMUM] = maximum;
    events[added + ATTEMPTS] = attempts;
    events[added + SERIES] = series;
    this.added = added + STRIDE;
  }

  /** Nothing that is added later begins before `until`. */
  sweep(until: number): void {
    this.sweepUntil(Math.min(until - this.first, this.to));
  }

  private sweepUntil(end: number): void {
    while (this.swept < end) {
      const next = Math.min(this.swept + DAY_MS, end);
      this.sweepDay(next);
      this.swept = next;
    }
  }

  /** Nothing is added any more. */
  end(): void {
    this.sweepUntil(this.to);
    for (const lane of this.lanes) lane?.end(this.to);
  }

  private sweepDay(until: number): void {
    const { events, added, swept } = this;
    const order = new Float64Array(added / STRIDE);
    if (order.length > MOST_EVENTS) throw new RangeError(`a day has ${order.length} beginnings and ends`);
    let [count, later] = [0, 0];
    for (let event = 0; event < added; event += STRIDE) {
      const at = events[event] ?? 0;
      // At the same moment, all ends come before all beginnings.
      if (at < until)
        order[count++] = (2 * (at - swept) + (events[event + BEGINS] ?? 0)) * MOST_EVENTS + event / STRIDE;
      else later++;
    }
    for (const place of order.subarray(0, count).sort()) this.step((place % MOST_EVENTS) * STRIDE);
    if (later > 0) this.keepLater(until);
    this.added = later * STRIDE;
  }

  private step(event: number): void {
    const { events } = this;
    const moment = 2 * (events[event] ?? 0) + (events[event + BEGINS] ?? 0);
    this.lanes[events[event + SERIES] ?? 0]?.step(
      moment,
      events[event + CALLS] ?? 0,
      events[event + AVERAGE] ?? 0,
      events[event + MAXIMUM] ?? 0,
      events[event + ATTEMPTS] ?? 0,
    );
  }

  private keepLater(until: number): void {
    const { events, added } = this;
    let to = 0;
    for (let event = 0; event < added; event += STRIDE)
      if ((events[event] ?? 0) >= until) {
        events.copyWithin(to, event, event + STRIDE);
        to += STRIDE;
      }
  }
}

function enlarged(events: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * events.length);
  larger.set(events);
  return larger;
}
