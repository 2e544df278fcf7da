/** A call that began a moment ago and has no end, as a file of tcpdump (link type 101: IP packets) that nobody has captured. */
export function captureOf(callId: string, from: string, to: string): Buffer {
  const at = Date.now() - 10_000;
  const head = Buffer.alloc(24);
  head.writeUInt32LE(0xa1_b2_c3_d4, 0);
  head.writeUInt16LE(2, 4);
  head.writeUInt16LE(4, 6);
  head.writeUInt32LE(65_535, 16);
  head.writeUInt32LE(101, 20);
  const invitation = sip('INVITE sip:b@example.test SIP/2.0', '', { callId, from, to, port: 4_000 });
  const answer = sip('SIP/2.0 200 OK', ';tag=t2', { callId, from, to, port: 4_002 });
  return Buffer.concat([head, packet(at, invitation, 1, 2), packet(at + 1_000, answer, 2, 1)]);
}

interface Invented {
  readonly callId: string;
  readonly from: string;
  readonly to: string;
  readonly port: number;
}

function sip(start: string, tag: string, { callId, from, to, port }: Invented): Buffer {
  const description = `v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio ${port} RTP/AVP 0\r\n`;
  const lines = [
    start,
    'Via: SIP/2.0/UDP 192.0.2.1:5060;branch=z9hG4bK1',
    `From: <sip:${from}@example.test>;tag=t1`,
    `To: <sip:${to}@example.test>${tag}`,
    `Call-ID: ${callId}`,
    'CSeq: 1 INVITE',
    `User-Agent: ${from}`,
    'Content-Type: application/sdp',
    `Content-Length: ${description.length}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${description}`);
}

/** IPv4 with UDP, without checksums. The addresses are 192.0.2.`source` and 192.0.2.`target`. */
function packet(at: number, payload: Buffer, source: number, target: number): Buffer {
  const frame = Buffer.alloc(16 + 28);
  const length = 28 + payload.length;
  frame.writeUInt32LE(Math.floor(at / 1_000), 0);
  frame.writeUInt32LE((at % 1_000) * 1_000, 4);
  frame.writeUInt32LE(length, 8);
  frame.writeUInt32LE(length, 12);
  frame.set([0x45, 0, length >> 8, length & 255, 0, 0, 0, 0, 64, 17, 0, 0, 192, 0, 2, source, 192, 0, 2, target], 16);
  frame.writeUInt16BE(5_060, 36);
  frame.writeUInt16BE(5_060, 38);
  frame.writeUInt16BE(length - 20, 40);
  return Buffer.concat([frame, payload]);
}
