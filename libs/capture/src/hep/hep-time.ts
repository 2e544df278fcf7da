/** Agents whose clock is set to local time are hours off. */
const NEAR_MS = 86_400_000;
/** The year 2000: SIP is from 1999. */
const EARLIEST = 946_684_800_000;

interface Reading {
  readonly seconds: number;
  readonly microseconds: number;
}

/**
 * The capture time of a packet. Agents write it in network order, or in the order of their machine (sipwise/rtpengine#1995,
 * sipcapture/homer#909): a reading within a day of the receipt is right, in whichever order. Packets that are played again
 * have times of years ago; a time to come is none. Undefined: the time of receipt counts. `readings`: as it is most often written first.
 */
export function hepTime(readings: readonly Reading[], receivedAt: number | undefined): number | undefined {
  const times = readings.flatMap(({ seconds, microseconds }) => {
    return seconds === 0 ? [] : seconds * 1_000 + Math.min(microseconds, 999_999) / 1_000;
  });
  // The clock of a capture file may be wrong, too.
  if (receivedAt === undefined || receivedAt < EARLIEST) return times[0];
  const latest = Math.max(receivedAt, Date.now()) + NEAR_MS;
  return times.find((at) => Math.abs(at - receivedAt) <= NEAR_MS) ?? times.find((at) => at >= EARLIEST && at <= latest);
}
