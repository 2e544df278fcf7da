import type { Reception } from './reception-interval.js';

/** The first report of a receiver about a stream: what came before it was not captured. */
export interface Opening extends Reception {
  /** Since the stream, or the call, began; undefined if that is not known. */
  readonly elapsedMs: number | undefined;
  /** Packets that the sender had sent by then, by its own count. */
  readonly sent: number | undefined;
}

export interface Balance {
  readonly expected: number;
  readonly lost: number;
}

/** Of most audio codecs, packets a second. */
const USUAL_RATE = 50;
/** Codecs of 10 ms packets and video have up to as many times more. */
const FASTER = 6;
/** About the interval of reports (RFC 3550, 6.2). */
export const REPORT_INTERVAL_MS = 5_000;
/** The first number of a sequence is random; the highest one counts packets only if it is about as much as expected. */
const SIMILAR = { least: 0.5, most: 1.5 };

/**
 * How many packets there were up to the first report, and how many of them were lost. The first sequence number is
 * unknown: the packets are those of the sender's count, else by time. `rate`: packets a second of the later intervals.
 */
export function openingBalance(opening: Opening, rate: number | undefined): Balance {
  const { lossRate = 0, lost, elapsedMs } = opening;
  const isCounted = lost !== undefined && (lost > 0 || lossRate === 0);
  if (!isCounted) {
    const expected = packetsBefore(opening, rate) ?? packetsIn(REPORT_INTERVAL_MS, rate);
    return { expected, lost: lossRate * expected };
  }
  const known = packetsBefore(opening, rate);
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

function packetsBefore(
  { sent, elapsedMs, highest, lost, lossRate = 0 }: Opening,
  rate: number | undefined,
): number | undefined {
  if (sent !== undefined && sent > 0) return sent;
  if (elapsedMs === undefined) return undefined;
  const byTime = packetsIn(elapsedMs, rate);
  if (rate !== undefined) return byTime;
  // If the loss was always that of the last interval.
  const byFraction = lost !== undefined && lost > 0 && lossRate > 0 ? lost / lossRate : undefined;
  const byLoss = byFraction !== undefined && byFraction < FASTER * byTime ? byFraction : undefined;
  if (highest !== undefined && (isSimilar(highest, byTime) || isSimilar(highest, byLoss))) return highest;
  return Math.max(byTime, byLoss ?? 0);
}

function isSimilar(highest: number, packets: number | undefined): boolean {
  return packets !== undefined && highest >= SIMILAR.least * packets && highest <= SIMILAR.most * packets;
}

function packetsIn(ms: number, rate = USUAL_RATE): number {
  return (rate * ms) / 1_000;
}
