const INTERVAL_MS = 5_000;
/** Fewer packets tell nothing: half a second of audio. */
const MIN_PACKETS = 25;

/** The highest loss of any five seconds, about the period of RTCP reports. */
export class WorstInterval {
  private startedAt = Number.NaN;
  private total = 0;
  private lost = 0;
  private worst: number | undefined;

  get lossRate(): number | undefined {
    return this.worst;
  }

  /** Also if the clock was set back, and at the first packet. */
  isDue(at: number): boolean {
    const elapsed = at - this.startedAt;
    return !(elapsed >= 0 && elapsed < INTERVAL_MS);
  }

  /** Begins the next interval. `decided`: of the whole stream so far. */
  add(at: number, { total, lost }: { readonly total: number; readonly lost: number }): void {
    const inInterval = total - this.total;
    if (inInterval >= MIN_PACKETS) this.worst = Math.max(this.worst ?? 0, (lost - this.lost) / inInterval);
    this.startedAt = at;
    this.total = total;
    this.lost = lost;
  }
}
