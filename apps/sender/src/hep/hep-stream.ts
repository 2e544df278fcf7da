import { HepError } from './hep-error.js';
import { HEP3_HEADER_LENGTH } from './hep3-chunks.js';
import { HEP3_MARK } from './read-hep.js';

/**
 * Cuts a stream (TCP, TLS) into packets of version 3, the only one that says how long it is. Holds at most one packet
 * that is not whole yet, so at most 64 KB and what came last.
 */
export class HepStream {
  private rest: Buffer = Buffer.alloc(0);

  /**
   * The packets that are whole now. Throws {@link HepError} where no packet begins: what follows in such a stream means
   * nothing, so it is to be closed.
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

/** Undefined while too little is there to tell. */
function lengthOfPacket(bytes: Buffer, at: number): number | undefined {
  const seen = Math.min(bytes.length - at, HEP3_MARK.length);
  if (bytes.compare(HEP3_MARK, 0, seen, at, at + seen) !== 0)
    throw new HepError('not-hep', 'no HEP packet begins here');
  if (bytes.length - at < HEP3_HEADER_LENGTH) return undefined;
  const length = bytes.readUInt16BE(at + 4);
  if (length < HEP3_HEADER_LENGTH) throw new HepError('length', `a packet cannot have ${length} bytes`);
  return length;
}
