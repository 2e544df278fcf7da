import { INCIDENTS } from './incidents.js';

const REGISTRAR = '10.10.1.10';
const OTHER_PHONE = '10.21.1.78';
const ETHERNET = 1;
const [IP_HEADER, UDP_HEADER] = [20, 8];

interface Registration {
  readonly phone: string;
  readonly status: string;
}

/** A capture (pcap) of two registrations, and of no call: one phone is refused. */
export function registrationsCapture(): Buffer {
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0xa1b2c3d4, 0);
  head.writeUInt16LE(2, 4);
  head.writeUInt16LE(4, 6);
  head.writeUInt32LE(65_535, 16);
  head.writeUInt32LE(ETHERNET, 20);
  const registrations: readonly Registration[] = [
    { phone: INCIDENTS.device, status: '403 Forbidden' },
    { phone: OTHER_PHONE, status: '200 OK' },
  ];
  const packets = registrations.flatMap(({ phone, status }) => [
    packet(phone, REGISTRAR, sipText('REGISTER sip:example.test SIP/2.0', phone)),
    packet(REGISTRAR, phone, sipText(`SIP/2.0 ${status}`, phone)),
  ]);
  return Buffer.concat([head, ...packets]);
}

function sipText(first: string, phone: string): string {
  return [
    first,
    `Via: SIP/2.0/UDP ${phone}:5060;branch=z9hG4bK${phone}`,
    `From: <sip:phone@example.test>;tag=${phone}`,
    'To: <sip:phone@example.test>',
    `Call-ID: register-${phone}`,
    'CSeq: 1 REGISTER',
    'Content-Length: 0',
    '',
    '',
  ].join('\r\n');
}

function packet(from: string, to: string, text: string): Buffer {
  const payload = Buffer.from(text);
  const link = Buffer.alloc(14);
  link.writeUInt16BE(0x0800, 12);
  const ip = Buffer.alloc(IP_HEADER);
  ip.writeUInt8(0x45, 0);
  ip.writeUInt16BE(IP_HEADER + UDP_HEADER + payload.length, 2);
  ip.writeUInt8(64, 8);
  ip.writeUInt8(17, 9);
  for (const [at, address] of [
    [12, from],
    [16, to],
  ] as const)
    ip.set(address.split('.').map(Number), at);
  const udp = Buffer.alloc(UDP_HEADER);
  udp.writeUInt16BE(5_060, 0);
  udp.writeUInt16BE(5_060, 2);
  udp.writeUInt16BE(UDP_HEADER + payload.length, 4);
  const frame = Buffer.concat([link, ip, udp, payload]);
  const record = Buffer.alloc(16);
  record.writeUInt32LE(Math.floor(Date.now() / 1_000), 0);
  record.writeUInt32LE(frame.length, 8);
  record.writeUInt32LE(frame.length, 12);
  return Buffer.concat([record, frame]);
}
