/** A difference this large is a jump of a clock, such as a hold or a changed time, and not jitter. */
const JUMP_MS = 3_000;
/** Differences are halved sixteen times less than they count (RFC 3550, A.8). */
const SMOOTHING = 16;

/**
 * Interarrival jitter of one stream at one clock rate (RFC 3550, 6.4.1 and A.8), in milliseconds. As in tshark, every packet
 * changes the estimate, but the mean and the maximum are taken from regular packets only.
 */
export class Jitter {
  private estimate = 0;
  private sum = 0;
  private regular = 0;
  private highest = 0;
  private lastArrival = 0;
  private lastTimestamp = 0;
  private hasReference = false;
  private jumps = 0;

  constructor(readonly clockRate: number) {}

  /**
   * `arrival`: milliseconds. `isRegular`: neither the first packet after silence nor comfort noise, whose arrival tells
   * little about the network.
   */
  add(arrival: number, timestamp: number, isRegular: boolean): void {
    // The difference of two unsigned numbers of 32 bits, also after a wrap.
    const ticks = (timestamp - this.lastTimestamp) | 0;
    const difference = Math.abs(arrival - this.lastArrival - (ticks * 1_000) / this.clockRate);
    const isFirst = !this.hasReference;
    this.lastArrival = arrival;
    this.lastTimestamp = timestamp;
    this.hasReference = true;
    if (isFirst) return;
    if (difference >= JUMP_MS) {
      this.jumps++;
      return;
    }
    this.estimate += (difference - this.estimate) / SMOOTHING;
    if (!isRegular) return;
    this.sum += this.estimate;
    this.regular++;
    if (this.estimate > this.highest) this.highest = this.estimate;
  }

  /** The next packet is not compared with the last one: its time stamps count differently. */
  restart(): void {
    this.hasReference = false;
  }

  get mean(): number | undefined {
    return this.regular === 0 ? undefined : this.sum / this.regular;
  }

  get max(): number | undefined {
    return this.regular === 0 ? undefined : this.highest;
  }

  get clockJumps(): number {
    return this.jumps;
  }

  /** How many packets `mean` is of. */
  get samples(): number {
    return this.regular;
  }
}
