import { detached } from '../packet/detached.js';
import type { Fragment, IpPacket } from './ip-packet.js';

/** How many packets may be incomplete at a time; the oldest is dropped. */
const MOST_PACKETS = 64;
const MOST_PIECES = 64;
const MAX_LENGTH = 65_535;

/** Reassembles fragmented packets, such as a long INVITE over UDP. */
export class Fragments {
  private readonly waiting = new Map<string, Map<number, { readonly payload: Buffer; readonly isLast: boolean }>>();
  private dropped = 0;

  /** How many packets are incomplete, or were when they were dropped. */
  get incomplete(): number {
    return this.dropped + this.waiting.size;
  }

  /** The packet, once its last missing fragment has arrived. Of a fragment that the capture has cut, what there is. */
  add(packet: IpPacket & { readonly fragment: Fragment }): IpPacket | undefined {
    const { source, destination, protocol, dscp, payload, missing, fragment } = packet;
    const header = { source, destination, protocol, dscp };
    if (missing > 0) return fragment.offset === 0 ? { ...header, payload, missing } : undefined;
    if (fragment.offset + payload.length > MAX_LENGTH) return undefined;
    const key = `${source} ${destination} ${protocol} ${fragment.id}`;
    const pieces = this.waiting.get(key) ?? new Map<number, { payload: Buffer; isLast: boolean }>();
    this.waiting.delete(key);
    pieces.set(fragment.offset, { payload: detached(payload), isLast: fragment.isLast });
    const whole = joined(pieces);
    if (whole) return { ...header, payload: whole, missing: 0 };
    if (pieces.size <= MOST_PIECES) this.waiting.set(key, pieces);
    else this.dropped++;
    if (this.waiting.size > MOST_PACKETS) this.dropOldest();
    return undefined;
  }

  private dropOldest(): void {
    for (const [key] of this.waiting) {
      this.waiting.delete(key);
      this.dropped++;
      return;
    }
  }
}

type Pieces = ReadonlyMap<number, { readonly payload: Buffer; readonly isLast: boolean }>;

/** Undefined while a fragment is missing. Overlapping fragments are not supported: SIP senders make none. */
function joined(pieces: Pieces): Buffer | undefined {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const piece = pieces.get(at);
    if (!piece || (piece.payload.length === 0 && !piece.isLast)) return undefined;
    parts.push(piece.payload);
    if (piece.isLast) return Buffer.concat(parts);
    at += piece.payload.length;
  }
}
