import { u16, u32 } from './write-hep.js';
import { ip, type Place } from './write-pcap.js';

/** SIP over WebSocket and SCTP. */
export const UPGRADE_REQUEST = Buffer.from(
  'GET / HTTP/1.1\r\nHost: proxy.example.test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: sip\r\nSec-WebSocket-Version: 13\r\n\r\n',
);
export const UPGRADE_RESPONSE = Buffer.from(
  'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
    'Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nSec-WebSocket-Protocol: sip\r\n\r\n',
);

export interface FrameParts {
  /** 1: text, 0: continuation, 9: ping. */
  readonly opcode?: number;
  readonly isLast?: boolean;
  readonly isCompressed?: boolean;
  readonly mask?: number;
  /** Of the length field. */
  readonly bits?: 7 | 16 | 64;
}

export function webSocketFrame(payload: Buffer, parts: FrameParts = {}): Buffer {
  const { opcode = 1, isLast = true, isCompressed = false, mask, bits = payload.length < 126 ? 7 : 16 } = parts;
  const first = (isLast ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode;
  const masked = mask === undefined ? 0 : 0x80;
  const length = {
    7: () => Buffer.from([masked | payload.length]),
    16: () => Buffer.concat([Buffer.from([masked | 126]), u16(payload.length)]),
    64: () => Buffer.concat([Buffer.from([masked | 127]), u32(0), u32(payload.length)]),
  }[bits]();
  const key = mask === undefined ? Buffer.alloc(0) : u32(mask);
  const data = mask === undefined ? payload : Buffer.from(payload.map((byte, at) => byte ^ (key[at % 4] ?? 0)));
  return Buffer.concat([Buffer.from([first]), length, key, data]);
}

export interface ChunkParts {
  readonly sequence: number;
  readonly isFirst?: boolean;
  readonly isLast?: boolean;
}

/** A chunk of user data, filled up to four bytes. */
export function dataChunk(payload: Buffer, { sequence, isFirst = true, isLast = true }: ChunkParts): Buffer {
  const flags = (isFirst ? 2 : 0) | (isLast ? 1 : 0);
  const head = [Buffer.from([0, flags]), u16(payload.length + 16), u32(sequence), u16(0), u16(0), u32(0)];
  return Buffer.concat([...head, payload, Buffer.alloc((4 - (payload.length % 4)) % 4)]);
}

export function sctp(from: Place, to: Place, ...chunks: readonly Buffer[]): Buffer {
  const header = [u16(from.port), u16(to.port), u32(0x1234), u32(0)];
  return ip(from, to, 132, Buffer.concat([...header, ...chunks]));
}
