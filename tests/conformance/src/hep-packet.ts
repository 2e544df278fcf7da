/** Source or destination of a captured packet; IPv4. */
export interface Hop {
  readonly ip: string;
  readonly port: number;
}

const IPV4 = 2;
const UDP = 17;
const SIP = 1;

/** A SIP message as a capture agent forwards it: HEP version 3, times in milliseconds since 1970. */
export function hepPacket(from: Hop, to: Hop, at: number, sip: string): Buffer {
  const chunks = Buffer.concat([
    chunk(1, Buffer.of(IPV4)),
    chunk(2, Buffer.of(UDP)),
    chunk(3, hepAddressBytes(from.ip)),
    chunk(4, hepAddressBytes(to.ip)),
    chunk(7, number(from.port, 2)),
    chunk(8, number(to.port, 2)),
    chunk(9, number(Math.floor(at / 1_000), 4)),
    chunk(10, number((at % 1_000) * 1_000, 4)),
    chunk(11, Buffer.of(SIP)),
    chunk(15, Buffer.from(sip)),
  ]);
  return Buffer.concat([Buffer.from('HEP3'), number(chunks.length + 6, 2), chunks]);
}

function chunk(type: number, value: Buffer): Buffer {
  return Buffer.concat([number(0, 2), number(type, 2), number(value.length + 6, 2), value]);
}

function number(value: number, bytes: number): Buffer {
  const written = Buffer.alloc(bytes);
  written.writeUIntBE(value, 0, bytes);
  return written;
}

function hepAddressBytes(ip: string): Buffer {
  return Buffer.from(ip.split('.').map(Number));
}
