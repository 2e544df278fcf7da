import { directionKey, type CapturedPacket } from '@ringdown/capture';
import { beginsMessage, mayBeRest, messageLength } from './message-length.js';

/** A part of a message, whose other parts follow. */
interface Begun {
  readonly packet: CapturedPacket;
  readonly bytes: Buffer;
  /** When it arrived, by a monotonic clock. */
  readonly at: number;
  /** How many bytes follow; undefined: its head is not complete. */
  readonly missing: number | undefined;
  /** It was captured before the beginning of its message. */
  readonly isRest?: boolean;
}

/** A packet with exactly one message, as far as its parts were captured. */
export interface WholePacket {
  readonly packet: CapturedPacket;
  /** The rest of the message did not come. */
  readonly isCut: boolean;
}

/** Parts are captured within milliseconds; a message without its end is read as far as it goes. */
const WAIT_MS = 500;
const MOST_BEGUN = 1_000;
/** Other bytes that are marked as SIP look like rests: they must not take the places of beginnings. */
const MOST_RESTS = 100;
const MOST_MESSAGES = 64;
const MOST_BYTES = 131_072;

/**
 * SIP messages in the packets of capture agents. Some send what they read at once from a connection: a message in several
 * packets (freeswitch/sofia-sip#318), or several messages in one. Bounded.
 */
export class MessageParts {
  /** By direction; each list is in order of arrival. */
  private readonly begun = new Map<string, Begun[]>();
  private readonly waiting = { beginnings: 0, rests: 0 };
  /** How many packets were further parts of a message. */
  joined = 0;
  /** When the oldest of them arrived. */
  private oldestAt = Number.POSITIVE_INFINITY;

  /** The messages that are known now. */
  add(packet: CapturedPacket, now: number): readonly WholePacket[] {
    const due = now - this.oldestAt < WAIT_MS ? [] : this.sweep(now);
    if (packet.isFromAgent !== true) return [...due, { packet, isCut: false }];
    // Blank lines before a message are allowed (RFC 3261, 7.5), unless they are the end of another one.
    const bytes = withoutBlankLines(packet.payload);
    const isBeginning = beginsMessage(bytes);
    const continued = isBeginning ? this.takeEnded(packet, bytes) : this.take(packet);
    if (continued) {
      this.joined++;
      return [...due, ...this.split(packet, Buffer.concat([continued.bytes, packet.payload]), continued.at)];
    }
    if (isBeginning) return [...due, ...this.split(packet, bytes, now)];
    if (!mayBeRest(bytes)) return [...due, ...this.split(packet, packet.payload, now)];
    return [...due, ...this.keep({ packet, bytes: packet.payload, at: now, missing: undefined, isRest: true })];
  }

  /** The beginnings whose rest did not come in time. */
  sweep(now: number): readonly WholePacket[] {
    const due: WholePacket[] = [];
    for (const [key, list] of this.begun) {
      const late = list.filter(({ at }) => now - at >= WAIT_MS);
      if (late.length === 0) continue;
      this.put(
        key,
        list.filter(({ at }) => now - at < WAIT_MS),
      );
      due.push(...late.map(asCut));
    }
    this.oldestAt = Math.min(...[...this.begun.values()].map((list) => list[0]?.at ?? now));
    return due;
  }

  /** Nothing will follow. */
  end(): readonly WholePacket[] {
    return this.sweep(Number.POSITIVE_INFINITY);
  }

  /** The message that these bytes continue: one that misses exactly as many, or else the newest. */
  private take({ payload, ...addresses }: CapturedPacket): Begun | undefined {
    const key = directionKey(addresses);
    const begun = this.beginnings(key);
    const found =
      begun.find(({ missing }) => missing === payload.length) ??
      begun.findLast(({ bytes }) => bytes.length + payload.length <= MOST_BYTES);
    if (found) this.remove(key, found);
    return found;
  }

  /** The message whose last bytes are the blank lines before the next one, `next`. */
  private takeEnded({ payload, ...addresses }: CapturedPacket, next: Buffer): Begun | undefined {
    const blank = payload.subarray(0, payload.length - next.length);
    if (blank.length === 0) return undefined;
    const key = directionKey(addresses);
    const found = this.beginnings(key).find(({ bytes }) => {
      const length = messageLength(Buffer.concat([bytes, blank]));
      return length !== undefined && length <= bytes.length + blank.length;
    });
    if (found) this.remove(key, found);
    return found;
  }

  private beginnings(key: string): readonly Begun[] {
    return (this.begun.get(key) ?? []).filter(({ isRest }) => isRest !== true);
  }

  /** The rest of a message that was captured before its beginning. */
  private takeRest(packet: CapturedPacket, missing: number | undefined): Begun | undefined {
    const key = directionKey(packet);
    const found = this.begun.get(key)?.find(({ isRest, bytes }) => isRest === true && bytes.length === missing);
    if (found) this.remove(key, found);
    return found;
  }

  private remove(key: string, part: Begun): void {
    this.put(key, this.begun.get(key)?.filter((each) => each !== part) ?? []);
  }

  /** One message after another; the beginning of the last one is kept. */
  private split(packet: CapturedPacket, all: Buffer, at: number): readonly WholePacket[] {
    const found: WholePacket[] = [];
    let rest = all;
    while (found.length < MOST_MESSAGES) {
      const length = beginsMessage(rest) ? messageLength(rest) : rest.length;
      if (length === undefined || length > rest.length) {
        const missing = length === undefined ? undefined : length - rest.length;
        const following = this.takeRest(packet, missing);
        if (following) {
          this.joined++;
          const payload = Buffer.concat([rest, following.bytes]);
          return [...found, { packet: { ...packet, payload }, isCut: false }];
        }
        return [...found, ...this.keep({ packet: { ...packet, payload: rest }, bytes: rest, at, missing })];
      }
      found.push({ packet: { ...packet, payload: rest.subarray(0, length) }, isCut: false });
      rest = withoutBlankLines(rest.subarray(length));
      if (rest.length === 0) break;
    }
    return found;
  }

  /** Returns what there is no room for. */
  private keep(begun: Begun): readonly WholePacket[] {
    const { beginnings, rests } = this.waiting;
    if (begun.isRest === true ? rests >= MOST_RESTS : beginnings >= MOST_BEGUN) return [asCut(begun)];
    const key = directionKey(begun.packet);
    this.oldestAt = Math.min(this.oldestAt, begun.at);
    this.put(key, [...(this.begun.get(key) ?? []), begun]);
    return [];
  }

  private put(key: string, list: Begun[]): void {
    const before = this.begun.get(key) ?? [];
    const moreRests = restsIn(list) - restsIn(before);
    this.waiting.rests += moreRests;
    this.waiting.beginnings += list.length - before.length - moreRests;
    if (list.length === 0) this.begun.delete(key);
    else this.begun.set(key, list);
  }
}

function restsIn(list: readonly Begun[]): number {
  return list.filter(({ isRest }) => isRest === true).length;
}

/** What has no beginning is no message. */
function asCut({ packet, bytes, isRest }: Begun): WholePacket {
  return { packet: { ...packet, payload: bytes }, isCut: isRest !== true };
}

function withoutBlankLines(bytes: Buffer): Buffer {
  let at = 0;
  while (bytes[at] === 13 || bytes[at] === 10 || bytes[at] === 0) at++;
  return bytes.subarray(at);
}
