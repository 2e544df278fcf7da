import { otherSide, type AgreedMedium, type Side } from '../media/agreed-media.js';

/** A direction of a medium in which nothing should flow. */
export interface HeldDirection {
  /** Of its medium. */
  readonly place: number;
  readonly receiver: Side;
}

/** Fewer in a second are comfort noise, or keep NAT bindings open (RFC 6263). */
const PACKETS = 10;
/** The sender may not know of the hold for the first of them. */
const SECONDS = 3;

/** The directions in which nothing should flow by the session descriptions. */
export function heldDirections(media: readonly AgreedMedium[]): readonly HeldDirection[] {
  return media.flatMap((medium) =>
    (['caller', 'callee'] as const).flatMap((receiver) => {
      const flows = medium[otherSide(receiver)].sends && medium[receiver].receives;
      return flows ? [] : { place: medium.place, receiver };
    }),
  );
}

/** Whether packets flow in one direction, by how many there were each second. */
export class HoldWatch {
  private packets: number | undefined;
  private seconds = 0;

  /** Call it about each second. `packets`: all so far. */
  flows(packets: number): boolean {
    const isFlowing = this.packets !== undefined && packets - this.packets >= PACKETS;
    this.packets = packets;
    this.seconds = isFlowing ? this.seconds + 1 : 0;
    return this.seconds >= SECONDS;
  }
}
