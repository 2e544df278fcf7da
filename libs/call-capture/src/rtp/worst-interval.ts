const INTERVAL_MS = 5_000;
/** Fewer packets tell nothing: half a second of audio. */
const MIN_PACKETS = 25;

/** Packets whose fate is known, of the whole stream so far. */
interface Decided {
  readonly total: number;
  readonly lost: number;
}

/** The highest loss of any five seconds, about the period of RTCP reports. */
export class WorstInterval {
  private startedAt = Number.NaN;
  private total = 0;
  private lost = 0;
  private longest = 0;
  private worst: number | undefined;

  /** With the interval that has begun, if it has half the packets of another one: less would be an accident. */
  lossRate(decided: Decided): number | undefined {
    return decided.total - this.total < this.longest / 2 ? this.worst : this.worstWith(decided);
  }

  /** Also if the clock was set back, and at the first packet. */
  isDue(at: number): boolean {
    const elapsed = at - this.startedAt;
    return !(elapsed >= 0 && elapsed < INTERVAL_MS);
  }

  /** Begins the next interval. */
  add(at: number, decided: Decided): void {
    const { total, lost } = decided;
    this.worst = this.worstWith(decided);
    this.longest = Math.max(this.longest, total - this.total);
    this.startedAt = at;
    this.total = total;
    this.lost = lost;
  }

  private worstWith({ total, lost }: Decided): number | undefined {
    const inInterval = total - this.total;
    return inInterval < MIN_PACKETS ? this.worst : Math.max(this.worst ?? 0, (lost - this.lost) / inInterval);
  }
}
