/** What a report says of one stream, as far as it is possible. */
export interface Reception {
  /** Of the packets since the report before, 0 to 1. */
  readonly lossRate?: number | undefined;
  /** Since the beginning. */
  readonly lost?: number | undefined;
  /** Extended by the number of cycles. */
  readonly highest?: number | undefined;
  readonly jitterTicks?: number | undefined;
}

export type Step = number | 'earlier' | 'restart';

const CYCLE = 65_536;
/** A copy of a report that comes late is this far back at most (RFC 3550, A.1: MAX_DROPOUT). */
const MAX_BACK = 3_000;
/** Packets a second, and at once: more is another sequence. */
const FASTEST = 3_000;
const SLACK = 10_000;
/** Late packets that come after all; more is a receiver that counts from the beginning again. */
const LATE_PACKETS = 16;

/** By how much the highest number has moved in this time: how many packets the receiver expected. */
export function stepOf(before: number, now: number, elapsedMs: number): Step {
  const step = (now - before) | 0;
  const most = SLACK + (FASTEST * Math.max(0, elapsedMs)) / 1_000;
  if (step >= 0) return step <= most ? step : 'restart';
  // Some agents write no cycles.
  const wrapped = step + CYCLE;
  if (before < CYCLE && wrapped >= 0 && wrapped < CYCLE / 2 && wrapped <= most) return wrapped;
  return step > -MAX_BACK ? 'earlier' : 'restart';
}

/**
 * How many of the packets between two reports were lost: what the cumulative number has grown by, which also counts reports
 * that were not captured. It shrinks with duplicates and late packets. Undefined if neither number is known.
 */
export function lossBetween(before: Reception, now: Reception, step: number): number | undefined {
  const byFraction = now.lossRate === undefined ? undefined : now.lossRate * step;
  if (before.lost === undefined || now.lost === undefined) return byFraction;
  const growth = now.lost - before.lost;
  const hasLoss = byFraction !== undefined && byFraction > 0;
  if (isRestarted(growth, now.lost, { step, byFraction })) {
    return now.lost >= 0 && now.lost <= step ? now.lost : byFraction;
  }
  // Less than before is duplicates; the same beside a loss is what agents write that do not count.
  if (hasLoss && (growth === 0 || growth > step)) return byFraction;
  return Math.min(growth, step);
}

interface Interval {
  readonly step: number;
  readonly byFraction: number | undefined;
}

/** Whether the receiver has begun to count again. */
function isRestarted(growth: number, lost: number, { step, byFraction = 0 }: Interval): boolean {
  if (growth >= 0) return false;
  if (-growth > step || (lost === 0 && -growth > LATE_PACKETS)) return true;
  // A little less is duplicates, in a report that was not captured.
  return byFraction > 0 && Math.abs(lost - byFraction) < -growth;
}
