import { otherSide, type AgreedMedium, type Side } from '../../media/agreed-media.js';

interface Held {
  /** Of periods that are over, milliseconds. */
  totalMs: number;
  since: number | undefined;
}

/** How long each medium of a call was on hold in each direction, by the clock of the SIP messages. */
export class HoldTimes {
  /** Most calls are never on hold. */
  private held: Map<string, Held> | undefined;
  private media: readonly AgreedMedium[] = [];

  /** The media that are agreed on from now on. */
  update(media: readonly AgreedMedium[], at: number): void {
    if (media === this.media) return;
    this.media = media;
    for (const medium of media) {
      this.updateDirection(medium, 'caller', at);
      this.updateDirection(medium, 'callee', at);
    }
  }

  /** Up to that time. */
  heldMs(place: number, receiver: Side, at: number): number {
    const { totalMs = 0, since } = this.held?.get(`${place} ${receiver}`) ?? {};
    return totalMs + (since === undefined ? 0 : Math.max(0, at - since));
  }

  private updateDirection(medium: AgreedMedium, receiver: Side, at: number): void {
    const flows = medium[otherSide(receiver)].sends && medium[receiver].receives;
    const key = `${medium.place} ${receiver}`;
    const known = this.held?.get(key);
    if (!flows && known === undefined) (this.held ??= new Map()).set(key, { totalMs: 0, since: at });
    else if (!flows && known) known.since ??= at;
    else if (known?.since !== undefined) {
      known.totalMs += Math.max(0, at - known.since);
      known.since = undefined;
    }
  }
}
