/** What is known of the sender when its receiver reports. */
export interface SenderView {
  /** Capture time of the report, milliseconds. */
  readonly at: number;
  /** Packets that the sender had sent by its own last count, and when that was captured. */
  readonly sent?: number | undefined;
  readonly sentAt?: number | undefined;
  /** Nothing is missing from that count: it is not of what was captured. */
  readonly isWhole?: boolean;
  /** Both sides agreed that it sends: not on hold. */
  readonly flows: boolean;
}

/**
 * A receiver that reports again and again, without a new packet. Its loss says nothing of that time: loss reaches up to the
 * highest number received (RFC 3550, 6.4.1). What the sender has counted meanwhile did not arrive; without its count,
 * it is unknown whether something was sent.
 */
export class ReceptionStall {
  private openPackets = 0;
  private openMs = 0;
  private missing = 0;

  constructor(private last: SenderView) {}

  /** Another report without a new packet. */
  add(view: SenderView): void {
    const { last } = this;
    this.last = view;
    if (!view.flows || !last.flows) return;
    const elapsed = Math.max(0, view.at - last.at);
    if (view.sent === undefined || last.sent === undefined) {
      this.openMs += elapsed;
      return;
    }
    this.openPackets += Math.max(0, view.sent - last.sent);
    const isCounted = view.sentAt !== undefined && view.sentAt > last.at;
    this.openMs = isCounted ? 0 : this.openMs + elapsed;
  }

  /** New packets have arrived. `step`: how many numbers; they include the lost ones of the stall, unless they are too few. */
  end(view: SenderView, step: number): void {
    if (this.openPackets > 2 * step) this.missing += this.openPackets;
    this.openPackets = 0;
    this.openMs = 0;
    this.last = view;
  }

  /** Packets that were sent and did not arrive. */
  get missingPackets(): number {
    return this.missing + this.openPackets;
  }

  /** How long nothing arrived, and it is not known whether something was sent. */
  get unexplainedMs(): number {
    return this.openMs;
  }
}
