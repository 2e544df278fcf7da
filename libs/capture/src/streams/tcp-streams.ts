import { SipStream } from './sip-stream.js';

/** One TCP segment (RFC 9293) of one direction of a connection. */
export interface Segment {
  /** Identifies the direction: both addresses and ports. */
  readonly key: string;
  readonly sequence: number;
  readonly begins: boolean;
  readonly ends: boolean;
  readonly payload: Buffer;
}

interface Direction {
  /** Sequence number of the next byte. */
  next: number;
  readonly sip: SipStream;
  /** Segments that arrived early, by sequence number. */
  readonly early: Map<number, Buffer>;
}

const MOST_DIRECTIONS = 4_096;
/** With more early segments than this, the missing one was not captured. Of one direction, and of all. */
const MOST_EARLY = 32;
const MOST_EARLY_OF_ALL = 4_096;

/** Orders segments, drops retransmissions, and returns the SIP messages in them. Bounded. */
export class TcpStreams {
  private readonly directions = new Map<string, Direction>();
  private early = 0;

  /** The messages that this segment completes. */
  *add(segment: Segment): Generator<Buffer> {
    const direction = this.directionOf(segment);
    if (segment.payload.length > 0) yield* this.addPayload(direction, segment);
    if (segment.ends) this.forget(segment.key);
  }

  private directionOf({ key, sequence, begins }: Segment): Direction {
    if (begins) this.forget(key);
    const next = begins ? (sequence + 1) >>> 0 : sequence;
    const direction = this.directions.get(key) ?? { next, sip: new SipStream(), early: new Map<number, Buffer>() };
    // Kept in the order of use, so that the least recently used is dropped first.
    this.directions.delete(key);
    this.directions.set(key, direction);
    if (this.directions.size > MOST_DIRECTIONS) this.forgetOldest();
    return direction;
  }

  private *addPayload(direction: Direction, { sequence, payload, begins }: Segment): Generator<Buffer> {
    const at = begins ? (sequence + 1) >>> 0 : sequence;
    if (sequenceDistance(at, direction.next) > 0) {
      if (!direction.early.has(at)) this.early++;
      direction.early.set(at, payload);
      if (direction.early.size <= MOST_EARLY && this.early <= MOST_EARLY_OF_ALL) return;
      this.skipGap(direction);
    } else {
      yield* this.deliver(direction, at, payload);
    }
    yield* this.deliverEarly(direction);
  }

  private *deliver(direction: Direction, at: number, payload: Buffer): Generator<Buffer> {
    const known = -sequenceDistance(at, direction.next);
    if (known >= payload.length) return;
    const fresh = payload.subarray(known);
    direction.next = (direction.next + fresh.length) >>> 0;
    yield* direction.sip.push(fresh);
  }

  private *deliverEarly(direction: Direction): Generator<Buffer> {
    for (;;) {
      const due = [...direction.early].find(([at]) => sequenceDistance(at, direction.next) <= 0);
      if (!due) return;
      direction.early.delete(due[0]);
      this.early--;
      yield* this.deliver(direction, ...due);
    }
  }

  private skipGap(direction: Direction): void {
    const nearest = Math.min(...[...direction.early.keys()].map((at) => sequenceDistance(at, direction.next)));
    direction.next = (direction.next + nearest) >>> 0;
    direction.sip.reset();
  }

  private forgetOldest(): void {
    for (const [key] of this.directions) return this.forget(key);
  }

  private forget(key: string): void {
    this.early -= this.directions.get(key)?.early.size ?? 0;
    this.directions.delete(key);
  }
}

/** How far one sequence number is ahead of another, negative if behind; they wrap around at 2^32. */
function sequenceDistance(one: number, other: number): number {
  return (one - other) | 0;
}
