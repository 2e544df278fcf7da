import { HepError } from './hep-error.js';
import { HEP3_HEADER_LENGTH } from './hep3-chunks.js';
import { HEP3_MARK } from './read-hep.js';

/**
 * Splits a stream (TCP, TLS) into packets of version 3, the only version with a length field. Buffers at most one
 * incomplete packet, so at most 64 KB and the last chunk.
 */
export class HepStream {
  private rest: Buffer = Buffer.alloc(0);

  /**
   * The packets that are complete now. Throws {@link HepError} if no packet begins here: the rest of such a stream has no
   * meaning, so the connection is to be closed.
   */
  *push(bytes: Buffer): Generator<Buffer> {
    const all = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    let at = 0;
    for (;;) {
      const length = lengthOfPacket(all, at);
      if (length === undefined || all.length - at < length) break;
      yield all.subarray(at, at + length);
      at += length;
    }
    this.rest = all.subarray(at);
  }

  /** Whether the stream may end here. */
  get isBetweenPackets(): boolean {
    return this.rest.length === 0;
  }
}

/** Undefined while there are too few bytes to know it. */
function lengthOfPacket(bytes: Buffer, at: number): number | undefined {
  const seen = Math.min(bytes.length - at, HEP3_MARK.length);
  for (let n = 0; n < seen; n++) {
    if (bytes[at + n] !== HEP3_MARK[n]) throw new HepError('not-hep', 'no HEP packet begins here');
  }
  if (bytes.length - at < HEP3_HEADER_LENGTH) return undefined;
  const length = bytes.readUInt16BE(at + 4);
  if (length < HEP3_HEADER_LENGTH) throw new HepError('length', `a packet cannot have ${length} bytes`);
  return length;
}
