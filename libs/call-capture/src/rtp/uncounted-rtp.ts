import type { PlacementProblem } from '../placement/place-packet.js';

/** Why RTP counts for no call. */
export type UncountedRtp =
  | PlacementProblem
  /** No call names its addresses. */
  | 'unknown call'
  /** Its call has several media of which it may be, or has none. */
  | 'unknown medium'
  /** Its call is over. */
  | 'after the call'
  /** One packet alone, which may be anything. */
  | 'single packets'
  /** Too many streams wait for their call. */
  | 'too many streams';

/** Packets by reason. */
export class UncountedRtpCounts {
  private readonly packets: Record<UncountedRtp, number> = {
    'unknown call': 0,
    'no evidence': 0,
    'contradicting evidence': 0,
    'unknown medium': 0,
    'after the call': 0,
    'single packets': 0,
    'too many streams': 0,
  };

  constructor(from?: UncountedRtpCounts) {
    if (from) Object.assign(this.packets, from.packets);
  }

  add(reason: UncountedRtp, packets: number): void {
    this.packets[reason] += packets;
  }

  get counts(): Readonly<Record<UncountedRtp, number>> {
    return { ...this.packets };
  }
}
