/** A reception report as a receiver writes it. */
export interface WrittenReport {
  readonly at: number;
  readonly lossRate: number;
  readonly lost: number;
  readonly highest: number;
  readonly jitterTicks: number;
}

/** What happens to each packet of a stream on its way. */
export type Fate = 'arrives' | 'is lost' | 'arrives twice';

/**
 * A receiver after RFC 3550, A.1 and A.3: an oracle for what its reports say together. Of its own writing, so that it can
 * disagree with the code that reads them.
 */
export class SimulatedReceiver {
  private readonly base: number;
  private extended: number;
  private received = 0;
  private expectedPrior = 0;
  private receivedPrior = 0;
  private sequence: number;
  /** What really happened. */
  sent = 0;
  lost = 0;

  constructor(firstSequence: number) {
    this.base = firstSequence;
    this.extended = firstSequence - 1;
    this.sequence = firstSequence;
  }

  packet(fate: Fate): void {
    this.sent++;
    if (fate === 'is lost') this.lost++;
    else {
      this.extended = this.sequence;
      this.received += fate === 'arrives twice' ? 2 : 1;
    }
    this.sequence++;
  }

  /** The share of the packets up to the highest one that did not arrive: duplicates hide losses, as in the RFC. */
  get lossRate(): number {
    const expected = this.extended - this.base + 1;
    return expected === 0 ? 0 : Math.max(0, expected - this.received) / expected;
  }

  report(at: number): WrittenReport {
    const expected = this.extended - this.base + 1;
    const expectedInterval = expected - this.expectedPrior;
    const lostInterval = expectedInterval - (this.received - this.receivedPrior);
    this.expectedPrior = expected;
    this.receivedPrior = this.received;
    const fraction =
      expectedInterval === 0 || lostInterval <= 0 ? 0 : Math.floor((lostInterval * 256) / expectedInterval);
    return {
      at,
      lossRate: Math.min(fraction, 255) / 256,
      lost: Math.min(Math.max(expected - this.received, -0x80_00_00), 0x7f_ff_ff),
      highest: this.extended >>> 0,
      jitterTicks: 8 + (this.received % 3),
    };
  }
}
