import type { NotRead } from '../not-read.js';
import { directionKey, type Addresses } from '../packet/captured-packet.js';
import { detached } from '../packet/detached.js';
import { MessageStream } from './message-stream.js';

/** One TCP segment (RFC 9293) of one direction of a connection. */
export interface Segment {
  readonly addresses: Addresses;
  /** When it was captured, milliseconds since 1970. */
  readonly at: number;
  readonly sequence: number;
  /** The next byte that its sender expects from the other side. */
  readonly acknowledged?: number;
  readonly begins: boolean;
  readonly ends: boolean;
  readonly payload: Buffer;
  /** How many bytes at its end were not captured. */
  readonly missing: number;
}

/** A SIP message of a connection. */
export interface StreamMessage {
  readonly addresses: Addresses;
  /** When its last byte was captured. */
  readonly at: number;
  readonly payload: Buffer;
}

type Piece = Pick<Segment, 'at' | 'payload' | 'missing'>;

interface Direction {
  readonly addresses: Addresses;
  /** Sequence number of the first segment. */
  readonly first: number;
  /** Sequence number of the next byte. */
  next: number;
  readonly messages: MessageStream;
  /** Segments that arrived early, by sequence number. */
  readonly early: Map<number, Piece>;
}

const MOST_DIRECTIONS = 4_096;
/** With more early segments than this, the missing one was not captured. Of one direction, and of all. */
const MOST_EARLY = 32;
const MOST_EARLY_OF_ALL = 4_096;
/** The same after this time: nothing is sent again that late. */
const MAX_WAIT_MS = 10_000;

/** Orders segments, drops retransmissions, and returns the SIP messages in them. Bounded. */
export class TcpStreams {
  private readonly directions = new Map<string, Direction>();
  private early = 0;

  constructor(private readonly notRead: NotRead) {}

  /** The messages that this segment completes. */
  *add(segment: Segment): Generator<StreamMessage> {
    yield* this.skipAcknowledged(segment);
    const key = directionKey(segment.addresses);
    // A SYN with the number of the connection is sent again, or was captured twice.
    const begins = segment.begins && this.directions.get(key)?.first !== segment.sequence;
    if (begins) yield* this.close(key);
    const direction = this.directionOf(key, segment);
    if (segment.payload.length + segment.missing > 0) yield* this.addPayload(direction, segment);
    // Segments before the last one may still arrive.
    if (segment.ends && direction.early.size === 0) yield* this.close(key);
    if (this.directions.size > MOST_DIRECTIONS) yield* this.closeOldest();
  }

  /** The messages after the gaps that no segment has filled. */
  *end(): Generator<StreamMessage> {
    for (const key of this.directions.keys()) yield* this.close(key);
  }

  /** What the other side has received and this capture has not will not be sent again. */
  private *skipAcknowledged({ addresses, acknowledged }: Segment): Generator<StreamMessage> {
    if (acknowledged === undefined || this.early === 0) return;
    const { source, destination } = addresses;
    const other = this.directions.get(directionKey({ source: destination, destination: source }));
    if (other === undefined) return;
    while (other.early.size > 0 && sequenceDistance(acknowledged, other.next) > 0) yield* this.skipGap(other);
  }

  private directionOf(key: string, { addresses, sequence, begins }: Segment): Direction {
    const direction = this.directions.get(key) ?? {
      addresses,
      first: sequence,
      next: begins ? (sequence + 1) >>> 0 : sequence,
      messages: new MessageStream(() => this.notRead.addProtocol('compressed WebSocket')),
      early: new Map<number, Piece>(),
    };
    // Kept in the order of use, so that the least recently used is dropped first.
    this.directions.delete(key);
    this.directions.set(key, direction);
    return direction;
  }

  private *addPayload(direction: Direction, segment: Segment): Generator<StreamMessage> {
    const { early } = direction;
    const { at, begins, payload, missing } = segment;
    const sequence = begins ? (segment.sequence + 1) >>> 0 : segment.sequence;
    if (sequenceDistance(sequence, direction.next) <= 0) {
      yield* this.deliver(direction, sequence, segment);
      yield* this.deliverEarly(direction, at);
      return;
    }
    if (!early.has(sequence)) this.early++;
    early.set(sequence, { at, payload: detached(payload), missing });
    const [oldest = at] = [...early.values()].map((piece) => piece.at);
    const isWaiting = early.size <= MOST_EARLY && this.early <= MOST_EARLY_OF_ALL && at - oldest <= MAX_WAIT_MS;
    if (!isWaiting) yield* this.skipGap(direction);
  }

  /** `at`: when the last byte of a message was captured that ends in this piece. */
  private *deliver(direction: Direction, sequence: number, piece: Piece, at = piece.at): Generator<StreamMessage> {
    const { payload, missing } = piece;
    const { addresses } = direction;
    const known = -sequenceDistance(sequence, direction.next);
    if (known >= payload.length + missing) return;
    direction.next = (sequence + payload.length + missing) >>> 0;
    for (const message of direction.messages.push(payload.subarray(known))) yield { addresses, at, payload: message };
    if (missing === 0) return;
    const cut = direction.messages.gap();
    if (!cut) return;
    this.notRead.cutMessages++;
    yield { addresses, at, payload: cut };
  }

  /** `filledAt`: when the segment before them was captured; undefined if it was not. */
  private *deliverEarly(direction: Direction, filledAt?: number): Generator<StreamMessage> {
    for (;;) {
      const due = [...direction.early].find(([sequence]) => sequenceDistance(sequence, direction.next) <= 0);
      if (!due) return;
      direction.early.delete(due[0]);
      this.early--;
      yield* this.deliver(direction, ...due, filledAt);
    }
  }

  private *skipGap(direction: Direction): Generator<StreamMessage> {
    const nearest = Math.min(...[...direction.early.keys()].map((at) => sequenceDistance(at, direction.next)));
    direction.next = (direction.next + nearest) >>> 0;
    const wasSip = direction.messages.isSip;
    direction.messages.gap();
    yield* this.deliverEarly(direction);
    // What was not captured may have been the first message.
    if (wasSip || direction.messages.isSip) this.notRead.gaps++;
  }

  private *closeOldest(): Generator<StreamMessage> {
    const [oldest] = this.directions.keys();
    if (oldest !== undefined) yield* this.close(oldest);
  }

  private *close(key: string): Generator<StreamMessage> {
    const direction = this.directions.get(key);
    if (!direction) return;
    while (direction.early.size > 0) yield* this.skipGap(direction);
    this.directions.delete(key);
  }
}

/** How far one sequence number is ahead of another, negative if behind; they wrap around at 2^32. */
function sequenceDistance(one: number, other: number): number {
  return (one - other) | 0;
}
