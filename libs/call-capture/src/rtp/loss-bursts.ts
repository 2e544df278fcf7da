/** How many packets in a row must arrive to end a burst (RFC 3611, 4.7.2, recommended value). */
const GAP_MINIMUM = 16;

/** Lengths in packets; densities are the share of lost packets, 0 to 1. */
export interface BurstMeasures {
  readonly bursts: number;
  readonly gaps: number;
  readonly burstPackets: number;
  readonly gapPackets: number;
  readonly burstDensity: number;
  readonly gapDensity: number;
  /**
   * Mean number of losses in a row, relative to what independent losses of the same rate would give (ITU-T G.107,
   * BurstR). 1 or less: losses are independent.
   */
  readonly burstRatio: number;
}

/**
 * Divides a stream into bursts and gaps of loss (RFC 3611, 4.7.2): a burst begins and ends with a loss and contains no 16
 * received packets in a row; a loss without another one near it belongs to a gap. Packets come in order of sequence.
 */
export class LossBursts {
  private received = 0;
  private lost = 0;
  private lossRuns = 0;
  private bursts = 0;
  private burstPackets = 0;
  private burstLost = 0;
  /** The losses that may become a burst, and the packets from the first of them to the last. */
  private openLost = 0;
  private openPackets = 0;
  private receivedSinceLoss = GAP_MINIMUM;

  get total(): number {
    return this.received + this.lost;
  }

  get totalLost(): number {
    return this.lost;
  }

  onReceived(): void {
    this.received++;
    this.receivedSinceLoss++;
  }

  /** `count`: losses in a row. */
  onLost(count: number): void {
    if (count <= 0) return;
    if (this.receivedSinceLoss > 0) this.lossRuns++;
    if (this.receivedSinceLoss >= GAP_MINIMUM) this.close();
    else this.openPackets += this.receivedSinceLoss;
    this.openLost += count;
    this.openPackets += count;
    this.lost += count;
    this.receivedSinceLoss = 0;
  }

  /** As if the stream had ended here; it may continue. */
  get measures(): BurstMeasures {
    const isBurst = this.openLost > 1;
    const bursts = this.bursts + (isBurst ? 1 : 0);
    const burstPackets = this.burstPackets + (isBurst ? this.openPackets : 0);
    const burstLost = this.burstLost + (isBurst ? this.openLost : 0);
    const gapPackets = this.total - burstPackets;
    const lossRate = share(this.lost, this.total);
    return {
      bursts,
      gaps: gapPackets === 0 ? 0 : bursts + 1,
      burstPackets,
      gapPackets,
      burstDensity: share(burstLost, burstPackets),
      gapDensity: share(this.lost - burstLost, gapPackets),
      burstRatio: this.lossRuns === 0 ? 1 : (this.lost / this.lossRuns) * (1 - lossRate),
    };
  }

  private close(): void {
    if (this.openLost > 1) {
      this.bursts++;
      this.burstPackets += this.openPackets;
      this.burstLost += this.openLost;
    }
    this.openLost = 0;
    this.openPackets = 0;
  }
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
