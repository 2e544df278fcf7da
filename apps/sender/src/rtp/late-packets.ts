/** A receiver with a buffer of this length has no use for a packet that is later; most phones buffer 40 to 120 ms. */
export const ASSUMED_BUFFER_MS = 100;
/** How fast the reference follows: clocks of phones differ by at most a few hundred millionths. */
const DRIFT = 0.000_5;
const JUMP_MS = 3_000;

/**
 * Counts packets that arrive too late to be played, relative to the fastest packet so far. The reference drifts with the clocks
 * of sender and capture.
 */
export class LatePackets {
  private late = 0;
  private earliestTransit = 0;
  private lastArrival = Number.NaN;

  /** `mediaTime`: the time stamp of the packet in milliseconds since any beginning. */
  add(arrival: number, mediaTime: number): void {
    const transit = arrival - mediaTime;
    const drift = DRIFT * Math.max(0, arrival - this.lastArrival);
    const delay = transit - this.earliestTransit - drift;
    this.lastArrival = arrival;
    // Also true for the first packet, whose delay is not a number.
    if (!(delay > 0 && delay < JUMP_MS)) {
      this.earliestTransit = transit;
      return;
    }
    this.earliestTransit += drift;
    if (delay > ASSUMED_BUFFER_MS) this.late++;
  }

  restart(): void {
    this.lastArrival = Number.NaN;
  }

  get count(): number {
    return this.late;
  }
}
