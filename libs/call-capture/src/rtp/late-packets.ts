import { ASSUMED_BUFFER_MS } from '@ringdown/quality';

/** Buffers adapt: a delay that stays is no longer late after about this many packets. */
const ADAPTATION = 16;
const JUMP_MS = 3_000;

/** Counts packets that arrive too late to be played, relative to the mean delay of the packets before them. */
export class LatePackets {
  private late = 0;
  private meanTransit = Number.NaN;

  /** `mediaTime`: the time stamp of the packet in milliseconds since any beginning. */
  add(arrival: number, mediaTime: number): void {
    const transit = arrival - mediaTime;
    const delay = transit - this.meanTransit;
    // Also true for the first packet, whose delay is not a number.
    if (!(Math.abs(delay) < JUMP_MS)) {
      this.meanTransit = transit;
      return;
    }
    if (delay > ASSUMED_BUFFER_MS) this.late++;
    this.meanTransit += delay / ADAPTATION;
  }

  /** The time stamps of the next packet count differently. */
  restart(): void {
    this.meanTransit = Number.NaN;
  }

  get count(): number {
    return this.late;
  }
}
