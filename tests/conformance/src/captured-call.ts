import { hepPacket, type Hop } from './hep-packet.js';

const CALLER: Hop = { ip: '192.0.2.10', port: 5060 };
const CALLEE: Hop = { ip: '192.0.2.20', port: 5060 };

/** A call that was captured between its two parties: answered at once, and ended `seconds` after that. */
export function capturedCall(options: { callId: string; startsAt: number; seconds: number }): readonly Buffer[] {
  const { callId, startsAt, seconds } = options;
  const sip = (first: string, cseq: string, toTag: string, body = ''): string =>
    [
      first,
      `Via: SIP/2.0/UDP ${CALLER.ip};branch=z9hG4bK-${callId}-${cseq.replace(' ', '-')}`,
      `From: <sip:anna@example.test>;tag=${callId}`,
      `To: <sip:ben@example.test>${toTag}`,
      `Call-ID: ${callId}`,
      `CSeq: ${cseq}`,
      `Contact: <sip:anna@${CALLER.ip}>`,
      ...(body === '' ? [] : ['Content-Type: application/sdp']),
      `Content-Length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n');
  const tag = ';tag=ben';
  const request = (method: string, cseq: number, toTag: string, body?: string): string =>
    sip(`${method} sip:ben@${CALLEE.ip} SIP/2.0`, `${cseq} ${method}`, toTag, body);
  const ok = (cseq: string, body?: string): string => sip('SIP/2.0 200 OK', cseq, tag, body);
  const answered = startsAt + 20;
  const ends = answered + seconds * 1_000;
  return [
    hepPacket(CALLER, CALLEE, startsAt, request('INVITE', 1, '', audio(CALLER.ip, 4_000))),
    hepPacket(CALLEE, CALLER, answered, ok('1 INVITE', audio(CALLEE.ip, 5_000))),
    hepPacket(CALLER, CALLEE, answered + 20, request('ACK', 1, tag)),
    hepPacket(CALLER, CALLEE, ends, request('BYE', 2, tag)),
    hepPacket(CALLEE, CALLER, ends + 20, ok('2 BYE')),
  ];
}

function audio(ip: string, port: number): string {
  const lines = ['v=0', `o=- 1 1 IN IP4 ${ip}`, 's=-', `c=IN IP4 ${ip}`, 't=0 0', `m=audio ${port} RTP/AVP 8`];
  return `${lines.join('\r\n')}\r\na=rtpmap:8 PCMA/8000\r\n`;
}
