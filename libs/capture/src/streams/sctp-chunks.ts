/** A part of a user message in an SCTP packet (RFC 9260, 3.3.1; RFC 8260, 2.1). */
export interface DataChunk {
  readonly sequence: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly payload: Buffer;
  /** How many bytes at its end were not captured. */
  readonly missing: number;
}

export const SCTP_HEADER_LENGTH = 12;
const CHUNK_HEADER_LENGTH = 4;
/** Length of the header of the chunks that have user data, by their type: DATA and I-DATA. */
const DATA_HEADERS: ReadonlyMap<number, number> = new Map([
  [0, 16],
  [64, 20],
]);
const FLAG = { isLast: 1, isFirst: 2 } as const;
const MAX_CHUNKS = 512;

/** The chunks of user data in a packet with its header. */
export function dataChunks(packet: Buffer): readonly DataChunk[] {
  const found: DataChunk[] = [];
  let at = SCTP_HEADER_LENGTH;
  for (let chunks = 0; chunks < MAX_CHUNKS && at + CHUNK_HEADER_LENGTH <= packet.length; chunks++) {
    const length = packet.readUInt16BE(at + 2);
    if (length < CHUNK_HEADER_LENGTH) break;
    const headerLength = DATA_HEADERS.get(packet.readUInt8(at));
    const chunk = packet.subarray(at, at + length);
    if (headerLength !== undefined && chunk.length > headerLength) {
      const flags = chunk.readUInt8(1);
      found.push({
        sequence: chunk.readUInt32BE(4),
        isFirst: (flags & FLAG.isFirst) !== 0,
        isLast: (flags & FLAG.isLast) !== 0,
        payload: chunk.subarray(headerLength),
        missing: length - chunk.length,
      });
    }
    at += Math.ceil(length / 4) * 4;
  }
  return found;
}
