import { addressKey } from '../placement/media-packet.js';
import type { RtpStream } from './rtp-stream.js';

/** Numbers that may be missing where a stream goes on with another SSRC. */
const MAX_STEP = 16;
const MAX_PAUSE_MS = 2_000;

/**
 * Streams that go on with another SSRC between the same addresses, without a gap in their numbers: also a single packet is
 * part of such a run, and not something else that looks like RTP.
 */
export class StreamSuccession {
  /** The stream that began last, by its addresses. */
  private readonly latest = new Map<string, RtpStream>();

  /** Returns the streams that the new one proves: itself and the one before, or none. */
  add(stream: RtpStream): readonly RtpStream[] {
    const key = addressPairKey(stream);
    const before = this.latest.get(key);
    this.latest.set(key, stream);
    if (before === undefined || !continues(before, stream)) return [];
    before.successor = stream;
    for (const each of [before, stream]) each.prove();
    return [before, stream];
  }

  remove(stream: RtpStream): void {
    const key = addressPairKey(stream);
    if (this.latest.get(key) === stream) this.latest.delete(key);
  }

  /** A stream goes on although another one seemed to follow: a packet of that one took a number of this one. */
  goesOn(stream: RtpStream): void {
    const { successor } = stream;
    if (successor === undefined) return;
    stream.successor = undefined;
    if (successor.packetCount > 1) return;
    stream.excuse(successor.lastSequence);
    this.latest.set(addressPairKey(stream), stream);
  }
}

function continues(before: RtpStream, next: RtpStream): boolean {
  const step = (next.lastSequence - before.lastSequence) & 0xff_ff;
  return step > 0 && step <= MAX_STEP && Math.abs(next.lastAt - before.lastAt) <= MAX_PAUSE_MS;
}

function addressPairKey({ source, destination }: RtpStream): string {
  return `${addressKey(source)} ${addressKey(destination)}`;
}
