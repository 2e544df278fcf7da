import { otherSide, type Side } from '../media/agreed-media.js';
import { Mean } from './mean.js';
import type { ReceptionBlock, SenderReport } from './rtcp-report.js';

/** When and where a packet was captured. */
export interface Observation {
  /** By the clock of the capture agent, milliseconds. */
  readonly capturedAt: number;
  /** The agent: clocks and places of two cannot be compared. */
  readonly observer: string;
}

interface Seen {
  readonly stamp: number;
  readonly at: number;
}

interface Halves {
  readonly caller?: number;
  readonly callee?: number;
  /** To recognise the copy that a relay forwards. */
  readonly lastAnswer: string;
}

const STREAM_LIMIT = 16;
const REPORTS_OF_STREAM = 8;
const HALVES_LIMIT = 16;
const TICKS_PER_MS = 65.536;
/** Agents that convert the NTP time to microseconds round it: 30 microseconds. */
const STAMP_TOLERANCE = 2;
/** Less than nothing by as much as clocks and queues are inexact; more would be a clock that was set. */
const TOLERANCE_MS = 5;
const LONGEST_MS = 30_000;

/**
 * Round trips from sender reports and their answers. In RFC 3550, 6.4.1 the sender of the report computes A - LSR - DLSR
 * by its own clock. A capture has another clock and another place, so here it is the time from the capture of the report
 * to the capture of its answer, less DLSR: the round trip between the capture point and the receiver. The other half comes
 * from the reports of the other side, and the sum is the round trip of the parties, wherever between them the point is;
 * beside a party its half is nearly zero. One half alone is not reported: it may be any part of the whole.
 */
export class RoundTrips {
  private readonly seen = new Map<string, Seen[]>();
  private readonly halves = new Map<string, Halves>();
  private readonly media = new Map<number, Mean>();

  /** A report that passed the capture point; of its copies behind a relay the first counts. */
  addReport({ ssrc, stamp }: SenderReport, { capturedAt: at, observer }: Observation): void {
    if (ssrc === undefined || stamp === undefined) return;
    const key = `${observer} ${ssrc}`;
    const known = this.seen.get(key) ?? [];
    if (known.some((report) => report.stamp === stamp)) return;
    this.seen.set(key, [...known.slice(1 - REPORTS_OF_STREAM), { stamp, at }]);
    dropOldest(this.seen, STREAM_LIMIT);
  }

  /** `receiver`: the side that sent the block. `place`: of its medium. */
  addAnswer({ ssrc, lastReport }: ReceptionBlock, receiver: Side, place: number, observation: Observation): void {
    const { capturedAt, observer } = observation;
    const report =
      lastReport &&
      this.seen.get(`${observer} ${ssrc}`)?.findLast(({ stamp }) => {
        return Math.abs(stamp - lastReport.stamp) <= STAMP_TOLERANCE;
      });
    if (!report) return;
    const key = `${observer} ${place}`;
    const known = this.halves.get(key);
    const lastAnswer = `${receiver} ${ssrc} ${lastReport.stamp} ${lastReport.delay}`;
    const half = capturedAt - report.at - lastReport.delay / TICKS_PER_MS;
    if (known?.lastAnswer === lastAnswer || half < -TOLERANCE_MS || half > LONGEST_MS) return;
    this.halves.set(key, { ...known, [receiver]: Math.max(half, 0), lastAnswer });
    dropOldest(this.halves, HALVES_LIMIT);
    const other = known?.[otherSide(receiver)];
    if (other !== undefined) this.of(place).add(Math.max(half, 0) + other);
  }

  /** Milliseconds; empty as long as one half is unknown. */
  of(place: number): Mean {
    const known = this.media.get(place) ?? new Mean();
    this.media.set(place, known);
    return known;
  }
}

function dropOldest(map: Map<string, unknown>, limit: number): void {
  const [oldest] = map.keys();
  if (map.size > limit && oldest !== undefined) map.delete(oldest);
}
