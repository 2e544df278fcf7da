// Texts of a SIP call, with what differs from call to call: they are compressed as those of a trunk are.
import { createHash } from 'node:crypto';

/** The seven messages of call `number`, 3.7 KB together, as INVITE to the response to BYE. */
export function sipCall(number, callId) {
  const hex = createHash('sha256').update(callId).digest('hex');
  const [branch, fromTag, toTag, session] = [hex.slice(0, 24), hex.slice(24, 34), hex.slice(34, 44), number % 1e6];
  const caller = `+4721${String(500_000 + ((number * 7_919) % 400_000))}`;
  const callee = `+4790${String(100_000 + ((number * 104_729) % 800_000))}`;
  const head = (first, cseq, to, ending) =>
    [
      first,
      `Via: SIP/2.0/UDP 192.0.2.10:5060;branch=z9hG4bK${ending}${branch};rport`,
      `From: <sip:${caller}@pbx.example.test;user=phone>;tag=${fromTag}`,
      `To: <sip:${callee}@trunk.example.net;user=phone>${to ? `;tag=${toTag}` : ''}`,
      `Call-ID: ${callId}`,
      `CSeq: ${1_000 + (number % 9_000) + (cseq === 'BYE' ? 1 : 0)} ${cseq}`,
    ].join('\r\n');
  const allowed = 'Allow: INVITE, ACK, BYE, CANCEL, OPTIONS, UPDATE, PRACK, REFER\r\nSupported: timer, replaces';
  const contact = `Contact: <sip:192.0.2.20:5060;transport=udp>\r\nServer: Trunk-SBC/9.4.1\r\n${allowed}`;
  const sdp = [
    'v=0',
    `o=- ${session} ${session} IN IP4 192.0.2.10`,
    's=-',
    'c=IN IP4 192.0.2.10',
    't=0 0',
    `m=audio ${10_000 + (number % 20_000) * 2} RTP/AVP 8 0 101`,
    'a=rtpmap:8 PCMA/8000',
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:101 telephone-event/8000',
    'a=sendrecv\r\n',
  ].join('\r\n');
  const body = `Content-Type: application/sdp\r\nContent-Length: ${sdp.length}\r\n\r\n${sdp}`;
  const empty = 'Content-Length: 0\r\n\r\n';
  const request = `Max-Forwards: 70\r\nUser-Agent: PBX 16.3\r\nContact: <sip:${caller}@192.0.2.10:5060>\r\n${allowed}`;
  const uri = `sip:${callee}@trunk.example.net`;
  return [
    `${head(`INVITE ${uri} SIP/2.0`, 'INVITE', false, 'a')}\r\n${request}\r\n${body}`,
    `${head('SIP/2.0 100 Trying', 'INVITE', false, 'a')}\r\n${empty}`,
    `${head('SIP/2.0 180 Ringing', 'INVITE', true, 'a')}\r\n${contact}\r\n${empty}`,
    `${head('SIP/2.0 200 OK', 'INVITE', true, 'a')}\r\n${contact}\r\n${body}`,
    `${head(`ACK ${uri} SIP/2.0`, 'ACK', true, 'b')}\r\n${request}\r\n${empty}`,
    `${head(`BYE ${uri} SIP/2.0`, 'BYE', true, 'c')}\r\n${request}\r\n${empty}`,
    `${head('SIP/2.0 200 OK', 'BYE', true, 'c')}\r\n${contact}\r\n${empty}`,
  ];
}
