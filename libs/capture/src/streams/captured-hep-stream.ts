import { HEP3_MARK } from '../hep/read-hep.js';
import { detached } from '../packet/detached.js';

/** Mark, total length, and the vendor, type and length of the first chunk. */
const BEGINNING = 12;
const LENGTH_AT = 4;
const CHUNK_HEADER_LENGTH = 6;

/**
 * The packets of HEP 3 in one direction of a captured TCP connection, by their length field. Unlike those of a connection of
 * our own, they may begin before the capture, and parts may be missing: it goes on with the next packet that begins. Bounded:
 * keeps at most one incomplete packet.
 */
export class CapturedHepStream {
  private rest: Buffer = Buffer.alloc(0);

  /** The packets that are complete now. */
  *push(bytes: Buffer): Generator<Buffer> {
    let rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    this.rest = Buffer.alloc(0);
    while (rest.length > 0) {
      if (rest.length < BEGINNING) break;
      const start = hepStart(rest);
      if (start === -1) return;
      rest = rest.subarray(start);
      if (rest.length < BEGINNING) break;
      const length = rest.readUInt16BE(LENGTH_AT);
      if (rest.length < length) break;
      yield rest.subarray(0, length);
      rest = rest.subarray(length);
    }
    this.rest = detached(rest);
  }

  /** Bytes are missing here. Returns the beginning of the packet in which they are. */
  gap(): Buffer | undefined {
    const cut = this.rest.length === 0 ? undefined : this.rest;
    this.rest = Buffer.alloc(0);
    return cut;
  }
}

/** Where a packet begins whose first chunk fits into it; -1 if none does. */
export function hepStart(bytes: Buffer): number {
  for (let at = bytes.indexOf(HEP3_MARK); at !== -1; at = bytes.indexOf(HEP3_MARK, at + 1)) {
    if (bytes.length - at < BEGINNING) return -1;
    const [length, first] = [bytes.readUInt16BE(at + LENGTH_AT), bytes.readUInt16BE(at + BEGINNING - 2)];
    if (first >= CHUNK_HEADER_LENGTH && first <= length - CHUNK_HEADER_LENGTH) return at;
  }
  return -1;
}
