/** The header of one RTP packet (RFC 3550, 5.1), and where its payload lies in the bytes: nothing is copied. */
export interface RtpHeader {
  readonly payloadType: number;
  /** The first packet after silence, or the last one of a video frame. */
  readonly marker: boolean;
  readonly sequence: number;
  readonly timestamp: number;
  readonly ssrc: number;
  /** Offsets of the payload, without padding. */
  readonly payloadStart: number;
  readonly payloadEnd: number;
}

const FIXED_LENGTH = 12;
const FLAG = { padding: 0x20, extension: 0x10, marker: 0x80 } as const;

/** Undefined if the bytes are not RTP. A payload that the capture has cut counts as far as it was captured. */
export function readRtpHeader(bytes: Buffer): RtpHeader | undefined {
  if (bytes.length < FIXED_LENGTH) return undefined;
  const first = bytes.readUInt8(0);
  if (first >> 6 !== 2) return undefined;
  const second = bytes.readUInt8(1);
  const payloadStart = startOfPayload(bytes, first);
  if (payloadStart > bytes.length) return undefined;
  return {
    payloadType: second & 0x7f,
    marker: (second & FLAG.marker) !== 0,
    sequence: bytes.readUInt16BE(2),
    timestamp: bytes.readUInt32BE(4),
    ssrc: bytes.readUInt32BE(8),
    payloadStart,
    payloadEnd: (first & FLAG.padding) === 0 ? bytes.length : endBeforePadding(bytes, payloadStart),
  };
}

function startOfPayload(bytes: Buffer, first: number): number {
  const afterSources = FIXED_LENGTH + (first & 0x0f) * 4;
  if ((first & FLAG.extension) === 0) return afterSources;
  if (afterSources + 4 > bytes.length) return Number.POSITIVE_INFINITY;
  return afterSources + 4 + bytes.readUInt16BE(afterSources + 2) * 4;
}

/** The last byte has the length of the padding; a length that cannot be is that of a truncated packet. */
function endBeforePadding(bytes: Buffer, payloadStart: number): number {
  const end = bytes.length - bytes.readUInt8(bytes.length - 1);
  return end < payloadStart ? bytes.length : end;
}
