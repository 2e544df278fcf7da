import { MinuteLane, type MinuteSum } from './minute-lane.js';
import { radixOrder } from './radix-order.js';

const DAY_MS = 86_400_000;
/**
 * Numbers of an event: twice when it is, and one more if something begins; of which series and kind; and bandwidths. Few, because there
 * are millions of events, which are visited in another order than added.
 */
const [STRIDE, SERIES, AVERAGE, MAXIMUM] = [4, 1, 2, 3];
const FEW_EVENTS = 1_024;

/** What happens: a call ends, or begins, or has begun before; the bandwidth of a stream changes. */
const [CALL_ENDS, CALL_GOES_ON, CALL_BEGINS, STREAM] = [0, 1, 2, 3];
/** By kind: what it adds to the calls, and to those that began. */
const CALLS = [-1, 1, 1, 0];
const ATTEMPTS = [0, 0, 1, 0];
const KINDS = CALLS.length;

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
    const begin = from - this.first;
    this.addEvent(series, begin, 1, begin < this.from ? CALL_GOES_ON : CALL_BEGINS, 0, 0);
    this.addEvent(series, until - this.first, 0, CALL_ENDS, 0, 0);
  }

  addStream(series: number, from: number, until: number, average: number, maximum: number): void {
    if (this.lanes[series] === undefined || (average <= 0 && maximum <= 0)) return;
    this.addEvent(series, from - this.first, 1, STREAM, average, maximum);
    this.addEvent(series, until - this.first, 0, STREAM, -average, -maximum);
  }

  /** Parameters and one array, because there are millions of events. */
  private addEvent(series: number, at: number, begins: 0 | 1, kind: number, average: number, maximum: number): void {
    if (at >= this.to) return;
    const { added } = this;
    if (added + STRIDE > this.events.length) this.events = enlarged(this.events);
    const { events } = this;
    events[added] = 2 * Math.max(at, this.from) + begins;
    events[added + SERIES] = series * KINDS + kind;
    events[added + AVERAGE] = average;
    events[added + MAXIMUM] = maximum;
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
    const places = new Uint32Array(added / STRIDE);
    const moments = new Uint32Array(added / STRIDE);
    let count = 0;
    for (let event = 0; event < added; event += STRIDE) {
      const moment = events[event] ?? 0;
      if (moment >= 2 * until) continue;
      places[count] = event;
      // At the same moment, all ends come before all beginnings.
      moments[count++] = moment - 2 * swept;
    }
    for (const place of radixOrder(moments.subarray(0, count))) this.step(places[place] ?? 0);
    this.added = this.keepLater(2 * until);
  }

  private step(event: number): void {
    const { events } = this;
    const what = events[event + SERIES] ?? 0;
    const kind = what % KINDS;
    this.lanes[Math.floor(what / KINDS)]?.step(
      events[event] ?? 0,
      CALLS[kind] ?? 0,
      events[event + AVERAGE] ?? 0,
      events[event + MAXIMUM] ?? 0,
      ATTEMPTS[kind] ?? 0,
    );
  }

  /** Returns where they end. */
  private keepLater(moment: number): number {
    const { events, added } = this;
    let to = 0;
    for (let event = 0; event < added; event += STRIDE)
      if ((events[event] ?? 0) >= moment) {
        events.copyWithin(to, event, event + STRIDE);
        to += STRIDE;
      }
    return to;
  }
}

function enlarged(events: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const larger = new Float64Array(2 * events.length);
  larger.set(events);
  return larger;
}
