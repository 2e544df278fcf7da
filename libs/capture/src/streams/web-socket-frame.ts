const LONGEST_HEADER = 14;
const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;
const OPCODES: ReadonlySet<number> = new Set(Object.values(OPCODE));

/** The header of a frame (RFC 6455, 5.2). */
export interface FrameHeader {
  readonly headerLength: number;
  readonly payloadLength: number;
  readonly isLast: boolean;
  readonly isCompressed: boolean;
  /** Control frames may come between the frames of one message. */
  readonly isControl: boolean;
  readonly isContinuation: boolean;
  readonly mask: Buffer | undefined;
}

/** `invalid`: the bytes are not a frame; undefined while there are too few to know. */
export function readFrameHeader(bytes: Buffer): FrameHeader | 'invalid' | undefined {
  if (bytes.length < 2) return undefined;
  const [first, second] = [bytes.readUInt8(0), bytes.readUInt8(1)];
  const opcode = first & 0x0f;
  // The first reserved bit marks compression (RFC 7692); no extension uses the other two.
  if (!OPCODES.has(opcode) || (first & 0x30) !== 0) return 'invalid';
  const short = second & 0x7f;
  const lengthBytes = short === 126 ? 2 : short === 127 ? 8 : 0;
  const isMasked = (second & 0x80) !== 0;
  const headerLength = 2 + lengthBytes + (isMasked ? 4 : 0);
  if (bytes.length < headerLength) return bytes.length >= LONGEST_HEADER ? 'invalid' : undefined;
  const payloadLength = lengthOf(bytes, short, lengthBytes);
  const isControl = opcode >= OPCODE.close;
  if (!Number.isSafeInteger(payloadLength) || (isControl && payloadLength > 125)) return 'invalid';
  return {
    headerLength,
    payloadLength,
    isLast: (first & 0x80) !== 0,
    isCompressed: (first & 0x40) !== 0,
    isControl,
    isContinuation: opcode === OPCODE.continuation,
    mask: isMasked ? bytes.subarray(headerLength - 4, headerLength) : undefined,
  };
}

function lengthOf(bytes: Buffer, short: number, lengthBytes: number): number {
  if (lengthBytes === 0) return short;
  return lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
}

export function unmasked(bytes: Buffer, mask: Buffer | undefined): Buffer {
  if (!mask) return bytes;
  const copy = Buffer.from(bytes);
  for (let at = 0; at < copy.length; at++) copy[at] = (copy[at] ?? 0) ^ (mask[at % 4] ?? 0);
  return copy;
}
