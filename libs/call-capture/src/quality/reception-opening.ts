import type { Reception } from './reception-interval.js';

/** The first report of a receiver about a stream: what came before it was not captured. */
export interface Opening extends Reception {
  /** Since the stream, or the call, began, without hold; undefined if that is not known. */
  readonly elapsedMs: number | undefined;
  /** Packets that the sender had sent by then, by its own count. */
  readonly sent: number | undefined;
}

/** What the stream was like apart from its first report. */
export interface Pace {
  /** Packets a second that the codec has by its session description. */
  readonly usualRate?: number | undefined;
  /** Packets that the receiver itself had sent; only of one report alone. */
  readonly reporterSent?: number | undefined;
  /** Packets a second between the reports; undefined if there is one report alone. */
  readonly rate?: number | undefined;
  /** The mean time between two reports. */
  readonly intervalMs?: number | undefined;
  /** The agent counts cycles, so that there were no more packets than the highest number says. */
  readonly hasCycles?: boolean | undefined;
}

export interface Balance {
  readonly expected: number;
  readonly lost: number;
}

/** Of most audio codecs, packets a second. */
export const USUAL_RATE = 50;
/** Codecs of 10 ms packets and video have up to as many times more. */
const FASTER = 6;
/** About the interval of reports (RFC 3550, 6.2). */
export const REPORT_INTERVAL_MS = 5_000;
/** The first number of a sequence is random; the highest one counts packets only if it is about as much as expected. */
const SIMILAR = { least: 0.5, most: 1.5 };
/** Intervals are random from a half to one and a half of their mean (RFC 3550, 6.3.1). */
const LONGEST_INTERVAL = 2;

/**
 * How many packets there were up to the first report, and how many of them were lost. The first sequence number is
 * unknown: the packets are those of the sender's count, else by loss or by time.
 */
export function openingBalance(opening: Opening, pace: Pace): Balance {
  const { lossRate = 0, lost, elapsedMs } = opening;
  const rate = pace.rate ?? pace.usualRate;
  // Zero beside a loss is what agents write that do not count; less is duplicates.
  const isCounted = lost !== undefined && (lost !== 0 || lossRate === 0);
  if (!isCounted) {
    const expected = packetsBefore(opening, pace) ?? packetsIn(REPORT_INTERVAL_MS, rate);
    return { expected, lost: lossRate * expected };
  }
  const known = packetsBefore(opening, pace);
  // Without its beginning, the loss of the whole stream is of an unknown number of packets.
  if (known === undefined && elapsedMs === undefined) {
    const expected = packetsIn(REPORT_INTERVAL_MS, rate);
    return { expected, lost: lossRate * expected };
  }
  const counted = Math.max(0, lost);
  const isEnough = known !== undefined && known >= counted;
  // Media may have begun before the call was answered.
  const expected = !isEnough && lossRate > 0 ? counted / lossRate : Math.max(known ?? 0, counted, 1);
  return { expected, lost: counted };
}

function packetsBefore(opening: Opening, pace: Pace): number | undefined {
  const { sent, elapsedMs } = opening;
  if (sent !== undefined && sent > 0) return sent;
  if (elapsedMs === undefined) return undefined;
  return pace.rate === undefined ? ofOneReport(opening, elapsedMs, pace) : ofFirstReport(opening, elapsedMs, pace);
}

/** The time since the answer may be too long: media begin later, and agents may have another clock. */
function ofFirstReport({ highest, ...opening }: Opening, elapsedMs: number, pace: Pace): number {
  const { rate, intervalMs = REPORT_INTERVAL_MS, hasCycles } = pace;
  const numbers = hasCycles === true && highest !== undefined && highest > 0 ? highest + 1 : Infinity;
  const most = Math.min(packetsIn(elapsedMs, rate), numbers);
  const byLoss = packetsByLoss(opening);
  // The loss so far is that of one interval: nothing came before it.
  const isFirst = byLoss !== undefined && byLoss <= LONGEST_INTERVAL * packetsIn(intervalMs, rate);
  return isFirst ? Math.min(byLoss, most) : most;
}

function ofOneReport(opening: Opening, elapsedMs: number, { usualRate, reporterSent }: Pace): number {
  const { highest } = opening;
  const byTime = packetsIn(elapsedMs, usualRate);
  const byFraction = packetsByLoss(opening);
  const byLoss = byFraction !== undefined && byFraction < FASTER * byTime ? byFraction : undefined;
  if (highest !== undefined && (isSimilar(highest, byTime) || isSimilar(highest, byLoss))) return highest;
  // The media of both directions began late.
  if (byLoss !== undefined && reporterSent !== undefined && isSimilar(reporterSent, byLoss)) return byLoss;
  return Math.max(byTime, byLoss ?? 0);
}

/** If the loss was always that of the last interval. */
function packetsByLoss({ lost, lossRate = 0 }: Reception): number | undefined {
  return lost !== undefined && lost > 0 && lossRate > 0 ? lost / lossRate : undefined;
}

function isSimilar(highest: number, packets: number | undefined): boolean {
  return packets !== undefined && highest >= SIMILAR.least * packets && highest <= SIMILAR.most * packets;
}

function packetsIn(ms: number, rate = USUAL_RATE): number {
  return (rate * ms) / 1_000;
}
