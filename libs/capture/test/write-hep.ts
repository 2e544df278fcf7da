import { isIPv6 } from 'node:net';

export interface HepContent {
  readonly source?: { readonly ip: string; readonly port: number };
  readonly destination?: { readonly ip: string; readonly port: number };
  /** Milliseconds since 1970. */
  readonly at?: number;
  /** 1 is SIP, 5 RTCP. */
  readonly type?: number;
  readonly correlationId?: string;
  readonly password?: string;
  readonly payload: Buffer | string;
}

const HOME = { ip: '192.0.2.1', port: 5060 };

/** A packet of version 3 as capture agents write it. */
export function writeHep(content: HepContent): Buffer {
  const { source = HOME, destination = HOME, at = 1_760_000_000_123.456, type = 1, payload } = content;
  const six = isIPv6(source.ip);
  const micros = Math.round((at % 1_000) * 1_000);
  return packet([
    chunk(1, Buffer.from([six ? 10 : 2])),
    chunk(2, Buffer.from([17])),
    chunk(six ? 5 : 3, addressBytes(source.ip)),
    chunk(six ? 6 : 4, addressBytes(destination.ip)),
    chunk(7, u16(source.port)),
    chunk(8, u16(destination.port)),
    chunk(9, u32(Math.floor(at / 1_000))),
    chunk(10, u32(micros)),
    chunk(11, Buffer.from([type])),
    chunk(12, u32(2_001)),
    ...(content.password === undefined ? [] : [chunk(14, Buffer.from(content.password))]),
    ...(content.correlationId === undefined ? [] : [chunk(17, Buffer.from(content.correlationId))]),
    chunk(15, Buffer.from(payload)),
  ]);
}

export function packet(chunks: readonly Buffer[]): Buffer {
  const body = Buffer.concat(chunks);
  return Buffer.concat([Buffer.from('HEP3'), u16(body.length + 6), body]);
}

export function chunk(type: number, body: Buffer, vendor = 0): Buffer {
  return Buffer.concat([u16(vendor), u16(type), u16(body.length + 6), body]);
}

export function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

export function addressBytes(ip: string): Buffer {
  if (!isIPv6(ip)) return Buffer.from(ip.split('.').map(Number));
  const [head = '', tail = ''] = ip.split('::');
  const missing = 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array.from({ length: missing }, () => '0'), ...groups(tail)];
  return Buffer.concat(all.map((group) => u16(Number.parseInt(group, 16))));
}

function groups(text: string): string[] {
  return text.split(':').filter((group) => group !== '');
}
