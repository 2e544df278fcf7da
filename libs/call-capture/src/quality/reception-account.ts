import {
  REPORT_INTERVAL_MS,
  USUAL_RATE,
  openingBalance,
  type Balance,
  type Opening,
  type Pace,
} from './reception-opening.js';
import { ReceptionStall, type SenderView } from './reception-stall.js';
import { lossBetween, stepOf, type Reception } from './reception-interval.js';
import { WeightedMean } from './weighted-mean.js';

/** What a receiver's reports say of a stream as a whole. */
export interface ReceptionTotals extends Balance {
  /** Sent by the sender's count, and in no report of the receiver: part of both numbers above. */
  readonly missing: number;
  /** The highest loss between two reports. */
  readonly worstLossRate: number | undefined;
  /** How long the receiver reported, and how much of it without a packet that was or was not sent. */
  readonly reportedMs: number;
  readonly unexplainedMs: number;
  readonly hasLoss: boolean;
}

/** What is known of a stream before its first report. */
export interface StreamBeginning {
  /** When it can have begun, by the clock of the capture, without hold. */
  readonly startedAt?: number | undefined;
  /** How long it was on hold before. */
  readonly heldMs?: number | undefined;
  /** How long before its first report the answer arrived, without hold, by a monotonic clock. */
  readonly sinceAnswerMs?: number | undefined;
  /** Packets a second that its codec has by its session description. */
  readonly usualRate?: number | undefined;
  /** How many packets its receiver had sent by the first report: the media of both directions mostly begin together. */
  readonly reporterSent?: number | undefined;
}

interface Seen extends Reception {
  readonly at: number;
}

/** The sender's count at a later report, how old it was, and how far the highest number had moved by then. */
interface LaterCount {
  readonly sent: number;
  readonly ageMs: number;
  readonly moved: number;
}

/** Fewer packets tell nothing about the worst interval: half a second of audio. */
const WORST_PACKETS = 25;
/** Copies of a report weigh nearly nothing. */
const LEAST_WEIGHT_MS = 100;
/** Some reports are without blocks although packets arrive: those of another medium on the same port. */
const WITHOUT_BLOCK_MS = 7_000;
const MOST_OPENINGS = 8;
/** Of the time to a first report (RFC 3550, 6.2: half the interval). */
const SHORTEST_INTERVAL_MS = REPORT_INTERVAL_MS / 2;
/** More is the number with its cycles. */
const CYCLE = 65_536;
const DAY_MS = 86_400_000;

/**
 * The account of one receiver of one stream by its reports (RFC 3550, 6.4.1 and A.3). Each interval between two
 * reports has the packets that the highest number has moved by, so that a short one weighs little and reports that were not captured
 * count. Constant memory for any number of reports.
 */
export class ReceptionAccount {
  readonly jitter = new WeightedMean();
  private readonly openings: Opening[] = [];
  /** The one that is about the beginning of the stream. */
  private first: Opening | undefined;
  private stall: ReceptionStall | undefined;
  private previous: Seen | undefined;
  private firstAt = Number.NaN;
  private lastAt = -Infinity;
  private expected = 0;
  private lost = 0;
  private activeMs = 0;
  private worst: number | undefined;
  /** Reports with new numbers, and those whose numbers stand still although packets arrived. */
  private advances = 0;
  private contradictions = 0;
  private reports = 0;
  /** Without numbers, loss is weighted by time. */
  private readonly byTime = new WeightedMean();
  private moved = 0;
  private laterCount: LaterCount | undefined;
  private hasCycles = false;

  constructor(private readonly beginning: StreamBeginning) {}

  get reportCount(): number {
    return this.reports;
  }

  get lastReportAt(): number {
    return this.lastAt;
  }

  /** One report block. */
  add(block: Reception, view: SenderView): void {
    const seen = withPossibleCount({ ...block, at: view.at });
    this.reports++;
    if (this.previous === undefined) {
      this.firstAt = seen.at;
      this.open(seen, view, elapsedSince(this.beginning.startedAt, view.at), view.isWhole ? view.sent : undefined);
    } else if (!this.follow(this.previous, seen, view)) return;
    this.lastAt = Math.max(seen.at, this.lastAt);
    this.hasCycles ||= (seen.highest ?? 0) >= CYCLE;
    // Numbers are compared with the last ones that are known.
    if (seen.highest !== undefined || this.previous?.highest === undefined) this.previous = seen;
  }

  /** A report of the receiver without a block of the stream: since the one before, nothing has arrived. */
  addNothing(view: SenderView): void {
    if (this.previous === undefined || view.at - this.previous.at < WITHOUT_BLOCK_MS) return;
    this.stall?.add(view);
    this.lastAt = Math.max(this.lastAt, view.at);
  }

  /** `callMs`: how long the call has lasted so far, by the clock of its SIP messages; undefined if that is not known. */
  totals(callMs?: number): ReceptionTotals {
    const { stall, worst: worstLossRate } = this;
    const beforeMs = this.beforeFirst(callMs);
    const common = { worstLossRate, reportedMs: this.lastAt - this.firstAt + (beforeMs ?? 0) };
    if (!this.hasNumbers) {
      const expected = (this.byTime.weight * USUAL_RATE) / 1_000;
      const lost = expected * (this.byTime.mean ?? 0);
      return { ...common, expected, lost, missing: 0, unexplainedMs: 0, hasLoss: this.byTime.weight > 0 };
    }
    const { pace } = this;
    const before = this.openings.map((opening) => {
      if (opening !== this.first) return openingBalance(opening, pace);
      return openingBalance({ ...opening, elapsedMs: beforeMs, sent: opening.sent ?? this.sentBefore(pace) }, pace);
    });
    const missing = stall?.missingPackets ?? 0;
    const expected = before.reduce((sum, each) => sum + each.expected, this.expected) + missing;
    const lost = before.reduce((sum, each) => sum + each.lost, this.lost) + missing;
    const unexplainedMs = stall?.unexplainedMs ?? 0;
    return { ...common, expected, lost: Math.max(0, lost), missing, unexplainedMs, hasLoss: expected > 0 };
  }

  /**
   * How long the stream was there before its first report, at most. Agents have other clocks than those of the SIP messages,
   * but the time from the first report to the last one is a part of the call. An agent that was disconnected sends what it kept at once:
   * then nearly no time has passed since the answer arrived.
   */
  private beforeFirst(callMs: number | undefined): number | undefined {
    const { startedAt, heldMs = 0, sinceAnswerMs = 0 } = this.beginning;
    const elapsed = elapsedSince(startedAt, this.firstAt);
    const most = callMs === undefined ? undefined : Math.max(0, callMs - heldMs - (this.lastAt - this.firstAt));
    const arrived = sinceAnswerMs >= SHORTEST_INTERVAL_MS ? sinceAnswerMs : undefined;
    const known = [elapsed, arrived, most].filter((each) => each !== undefined);
    return known.length === 0 ? this.beginning.sinceAnswerMs : Math.min(...known);
  }

  private get pace(): Pace {
    const { activeMs, advances, hasCycles } = this;
    const { usualRate, reporterSent } = this.beginning;
    if (activeMs === 0) return { usualRate, reporterSent };
    return { usualRate, rate: (this.expected * 1_000) / activeMs, intervalMs: activeMs / advances, hasCycles };
  }

  /** What the sender had sent up to the first report, by a later count of it. */
  private sentBefore({ rate = 0 }: Pace): number | undefined {
    if (!this.laterCount || this.openings.length > 1) return undefined;
    const { sent, ageMs, moved } = this.laterCount;
    return Math.max(0, sent + (rate * ageMs) / 1_000 - moved);
  }

  /** Agents that do not know the highest number write zero, or the same one each time. */
  private get hasNumbers(): boolean {
    return this.previous?.highest !== undefined && this.contradictions <= this.advances;
  }

  private open(seen: Seen, view: SenderView, elapsedMs: number | undefined, sent: number | undefined): void {
    const { lossRate, at } = seen;
    this.weigh(seen, Math.min(elapsedMs ?? REPORT_INTERVAL_MS, REPORT_INTERVAL_MS));
    const hasArrived = seen.highest !== 0 || (lossRate ?? 0) > 0;
    const opening = { ...seen, elapsedMs, sent };
    if (hasArrived && this.reports === 1) this.first = opening;
    if (hasArrived && this.openings.length < MOST_OPENINGS) this.openings.push(opening);
    if (hasArrived) this.worstOf(lossRate);
    const began = { at: at - (elapsedMs ?? 0), sent: view.sent === undefined ? undefined : 0, flows: view.flows };
    this.stall ??= new ReceptionStall(began);
    if (hasArrived) this.stall.end(view, Infinity);
    else this.stall.add(view);
  }

  /** Returns false for a report that is older than the one before. */
  private follow(previous: Seen, seen: Seen, view: SenderView): boolean {
    const elapsed = seen.at - this.lastAt;
    if (seen.highest === undefined || previous.highest === undefined) {
      this.weigh(seen, elapsed);
      this.worstOf(seen.lossRate);
      return true;
    }
    const step = stepOf(previous.highest, seen.highest, seen.at - previous.at);
    if (step === 'earlier') return false;
    if (step === 'restart') this.open(seen, view, elapsed > 0 ? elapsed : undefined, undefined);
    else if (step === 0) this.standStill(previous, seen, view, elapsed);
    else this.advance(previous, seen, view, step);
    return true;
  }

  private advance(previous: Seen, seen: Seen, view: SenderView, step: number): void {
    const elapsed = Math.max(0, seen.at - previous.at);
    this.advances++;
    this.activeMs += elapsed;
    this.moved += step;
    this.countLater(view);
    this.weigh(seen, elapsed);
    this.stall?.end(view, step);
    const lost = lossBetween(previous, seen, step);
    if (lost === undefined) return;
    this.expected += step;
    this.lost += lost;
    if (step >= WORST_PACKETS) this.worstOf(lost / step);
  }

  /** The first count that is known is nearest to the first report. */
  private countLater({ sent = 0, sentAt = Number.NaN, at, isWhole }: SenderView): void {
    const ageMs = at - sentAt;
    const isUsable = isWhole === true && sent > 0 && ageMs >= 0 && ageMs <= REPORT_INTERVAL_MS;
    if (isUsable) this.laterCount ??= { sent, ageMs, moved: this.moved };
  }

  private standStill(previous: Seen, seen: Seen, view: SenderView, elapsed: number): void {
    const isSame = seen.jitterTicks === previous.jitterTicks && (seen.lossRate ?? 0) === 0;
    const isCopy =
      seen.lossRate === previous.lossRate && seen.jitterTicks === previous.jitterTicks && elapsed < LEAST_WEIGHT_MS;
    if (!isSame && !isCopy) {
      this.contradictions++;
      this.weigh(seen, elapsed);
      this.worstOf(this.hasNumbers ? undefined : seen.lossRate);
    } else {
      this.weigh({ ...seen, jitterTicks: undefined }, elapsed);
      this.stall?.add(view);
    }
  }

  private weigh({ lossRate, jitterTicks }: Reception, elapsedMs: number): void {
    const weight = Math.max(LEAST_WEIGHT_MS, elapsedMs);
    this.byTime.add(lossRate, weight);
    this.jitter.add(jitterTicks, weight);
  }

  private worstOf(lossRate: number | undefined): void {
    if (lossRate !== undefined) this.worst = Math.max(this.worst ?? 0, lossRate);
  }
}

/** Undefined if the clocks do not fit: a call lasts a day at most. */
function elapsedSince(startedAt: number | undefined, at: number): number | undefined {
  const elapsed = startedAt === undefined ? Number.NaN : at - startedAt;
  return elapsed >= 0 && elapsed <= DAY_MS ? elapsed : undefined;
}

/** The first number is not negative, so that no more packets are lost than the highest number and the one before it. */
function withPossibleCount(seen: Seen): Seen {
  const { lost, highest } = seen;
  if (lost === undefined || highest === undefined || lost <= highest + 1) return seen;
  return { ...seen, lost: undefined, highest: undefined };
}
