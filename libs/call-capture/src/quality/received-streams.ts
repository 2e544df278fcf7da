import { isPossible } from '@ringdown/call-catalogue/metrics';
import { ReceptionAccount, type ReceptionTotals } from './reception-account.js';
import type { SenderView } from './reception-stall.js';
import type { ReceptionBlock } from './rtcp-report.js';
import { SentCounts } from './sent-counts.js';

/** `unknown stream`: of an SSRC that its sender does not use. `impossible value`: it was left out. */
export type BlockProblem = 'unknown stream' | 'impossible value';

/** What is known when a receiver reports. */
export interface BlockContext {
  /** Capture time, milliseconds. */
  readonly at: number;
  /** SSRC of the reporter. */
  readonly reporter?: number | undefined;
  /** Of the codec, ticks a second. */
  readonly clockRate: number;
  /** Both sides agreed that the other side sends. */
  readonly flows: boolean;
  /** The reporter is nearer to the receiver of the call than those with less: a border controller reports what itself received. */
  readonly nearness?: number | undefined;
  /** When the media can have begun, without hold, and how long that was. */
  readonly startedAt?: number | undefined;
  readonly heldMs?: number | undefined;
  /** How long ago the answer arrived, without hold: the clocks of capture agents do not matter. */
  readonly sinceAnswerMs?: number | undefined;
  /** How many packets the reporter itself has sent, by this report. */
  readonly reporterSent?: number | undefined;
  /** Packets a second by the session description. */
  readonly usualRate?: number | undefined;
  /** Whether the other side was seen to use the SSRC of the block: undefined if none of its SSRCs was seen. */
  readonly isKnown?: boolean | undefined;
}

/** What the reports say of one medium in one direction. */
export interface ReceivedSummary {
  readonly lossRate?: number | undefined;
  readonly lossMaxRate?: number | undefined;
  readonly jitterMs?: number | undefined;
  readonly jitterMaxMs?: number | undefined;
  /** Packets that the sender counts. */
  readonly sent?: number | undefined;
  /** Sent, and in no report of the receiver. */
  readonly missing: number;
  /** Nothing arrived for a time in which it is not known whether something was sent. */
  readonly isUnknown: boolean;
}

interface Received {
  readonly account: ReceptionAccount;
  readonly ssrc: number | undefined;
  readonly reporter: number | undefined;
  isKnown: boolean;
  /** Its sender used other SSRCs. */
  readonly isForeign: boolean;
  readonly nearness: number;
  /** Milliseconds per tick. */
  tickMs: number;
}

/** A medium has few streams at a time; more come only from changing SSRCs. */
const STREAM_LIMIT = 16;
/** SSRCs that are named once are the encrypted bytes of SRTCP if there are several. */
const UNPROVEN_LIMIT = 2;
/** Less is the time between two reports. */
const UNKNOWN_MS = 10_000;
/** Less would not be a bad call (diagnostics-feed.md, 5: acceptable loss). */
const UNKNOWN_SHARE = 0.05;

/** The streams of one medium that one side receives, by its reports. Bounded. */
export class ReceivedStreams {
  readonly sent = new SentCounts();
  /** Without sender reports: what was captured of the streams. */
  captured: { readonly sent: number; readonly sentAt: number } | undefined;
  private readonly received = new Map<string, Received>();
  /** How long the receiver has reported, always without a block, although the other side may send. */
  private silentMs = 0;
  /** The last report without blocks. */
  private empty: { readonly reporter: number | undefined; readonly at: number } | undefined;

  add(block: ReceptionBlock, context: BlockContext): BlockProblem | undefined {
    const { reporter, clockRate, isKnown } = context;
    const { ssrc, jitterTicks } = block;
    if (!hasReception(block)) return undefined;
    const hasJitter = jitterTicks !== undefined && isPossible('JitterInterArrival', (jitterTicks * 1_000) / clockRate);
    const isImpossible = jitterTicks !== undefined && !hasJitter;
    const key = `${reporter ?? ''} ${ssrc ?? ''}`;
    const known = this.received.get(key);
    // Of a stream that nobody else has seen, these are the bytes of something else.
    if (isImpossible && isKnown !== true && !known) return 'impossible value';
    const received = known ?? this.open(key, ssrc, context);
    received.isKnown ||= isKnown === true;
    received.tickMs = 1_000 / clockRate;
    received.account.add({ ...block, jitterTicks: hasJitter ? jitterTicks : undefined }, this.viewOf(ssrc, context));
    if (isImpossible) return 'impossible value';
    return isKnown === false && received.account.reportCount === 1 ? 'unknown stream' : undefined;
  }

  addNothing(context: BlockContext): void {
    const { reporter, at, flows } = context;
    const isAgain = flows && this.empty?.reporter === reporter && this.received.size === 0;
    if (isAgain) this.silentMs += Math.max(0, at - (this.empty?.at ?? at));
    this.empty = { reporter, at };
    for (const { account, ssrc, reporter } of this.received.values()) {
      if (reporter === context.reporter) account.addNothing(this.viewOf(ssrc, context));
    }
  }

  /** `callMs`: how long the call has lasted so far, by the clock of its SIP messages. */
  summary(callMs?: number): ReceivedSummary {
    const { used } = this;
    const all = used.map(({ account }) => account.totals(callMs));
    const sum = (of: (each: ReceptionTotals) => number): number => all.reduce((total, each) => total + of(each), 0);
    const isUnknown =
      all.length > 0 ? sum((each) => each.unexplainedMs) >= unknownFrom(all) : this.silentMs >= UNKNOWN_MS;
    const [expected, lost] = [sum((each) => each.expected), sum((each) => each.lost)];
    return {
      lossRate: expected > 0 && all.some(({ hasLoss }) => hasLoss) ? Math.min(1, lost / expected) : undefined,
      lossMaxRate: largest(all.map(({ worstLossRate }) => worstLossRate)),
      ...jitterOf(used),
      sent: (this.sent.total ?? this.captured)?.sent,
      missing: sum((each) => each.missing),
      isUnknown,
    };
  }

  /** Of the nearest reporters. */
  private get used(): readonly Received[] {
    const nearest = Math.max(...this.trusted.map(({ nearness }) => nearness));
    return this.trusted.filter(({ nearness }) => nearness === nearest);
  }

  /** Without streams that were named once beside others that are certain. */
  private get trusted(): readonly Received[] {
    const all = [...this.received.values()];
    const certain = all.filter(({ isKnown, account }) => isKnown || account.reportCount > 1);
    if (certain.length > 0) return certain;
    return all.length <= UNPROVEN_LIMIT ? all.filter(({ isForeign }) => !isForeign) : [];
  }

  private open(key: string, ssrc: number | undefined, context: BlockContext): Received {
    const { at, reporter, isKnown, heldMs, sinceAnswerMs, usualRate, reporterSent, nearness = 0 } = context;
    // A new stream goes on where the last one ended.
    const before = [...this.received.values()]
      .filter((each) => each.ssrc !== ssrc)
      .map(({ account }) => account.lastReportAt);
    const isFirst = before.length === 0;
    const startedAt = isFirst ? this.beginningOf(context) : Math.min(at, Math.max(...before));
    const account = new ReceptionAccount({
      startedAt,
      heldMs,
      sinceAnswerMs: isFirst ? sinceAnswerMs : undefined,
      usualRate,
      reporterSent: isFirst ? reporterSent : undefined,
    });
    const received = { account, ssrc, reporter, isKnown: false, isForeign: isKnown === false, nearness, tickMs: 1 };
    if (this.received.size >= STREAM_LIMIT) this.dropOne();
    this.received.set(key, received);
    return received;
  }

  /** Before a report without blocks nothing arrived. */
  private beginningOf({ startedAt, at, reporter }: BlockContext): number | undefined {
    const { empty } = this;
    const isEarlier = empty !== undefined && empty.reporter === reporter && empty.at <= at;
    return isEarlier ? Math.max(startedAt ?? empty.at, empty.at) : startedAt;
  }

  /** The oldest, first of those that were named once. */
  private dropOne(): void {
    const all = [...this.received];
    const [dropped] = all.find(([, { isKnown, account }]) => !isKnown && account.reportCount === 1) ?? all[0] ?? [];
    if (dropped !== undefined) this.received.delete(dropped);
  }

  /** The counts of the stream itself; if it has none, of the only other one: a relay may change the SSRC. */
  private viewOf(ssrc: number | undefined, { at, flows }: BlockContext): SenderView {
    const counted = this.sent.of(ssrc);
    if (counted || this.received.size > 1) return { at, flows, ...counted, isWhole: counted !== undefined };
    const total = this.sent.total;
    return { at, flows, ...(total ?? this.captured), isWhole: total !== undefined };
  }
}

/** A block of an extended report has only the measurements of the phone. */
function hasReception({ lossRate, lost, jitterTicks }: ReceptionBlock): boolean {
  return lossRate !== undefined || lost !== undefined || jitterTicks !== undefined;
}

function unknownFrom(all: readonly ReceptionTotals[]): number {
  const reportedMs = Math.max(...all.map((each) => each.reportedMs));
  return Math.max(UNKNOWN_MS, UNKNOWN_SHARE * reportedMs);
}

function jitterOf(used: readonly Received[]): Pick<ReceivedSummary, 'jitterMs' | 'jitterMaxMs'> {
  const weight = used.reduce((sum, { account }) => sum + account.jitter.weight, 0);
  const sum = used.reduce((total, { account, tickMs }) => {
    return total + (account.jitter.mean ?? 0) * account.jitter.weight * tickMs;
  }, 0);
  const max = largest(
    used.map(({ account: { jitter }, tickMs }) => (jitter.max === undefined ? undefined : jitter.max * tickMs)),
  );
  return { jitterMs: weight === 0 ? undefined : sum / weight, jitterMaxMs: max };
}

function largest(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : Math.max(...known);
}
