import { request, response } from '@ringdown/capture/test/sip-messages.js';
import { udp, writePcap } from '@ringdown/capture/test/write-pcap.js';

/** IP packets. */
const LINK_TYPE = 101;
const [CALLER, CALLEE] = [
  { ip: '192.0.2.1', port: 5_060 },
  { ip: '192.0.2.2', port: 5_060 },
];

/** A call that began a moment ago and has no end, as a file of tcpdump that nobody has captured. */
export function captureOf(callId: string, from: string, to: string): Buffer {
  const at = Date.now() - 10_000;
  const ends = {
    callId,
    target: 'sip:b@example.test',
    from: `<sip:${from}@example.test>;tag=t1`,
    headers: [`User-Agent: ${from}`],
  };
  const callee = `<sip:${to}@example.test>`;
  const invitation = request('INVITE', { ...ends, to: callee, body: description(4_000) });
  const answer = response('200 OK', 'INVITE', { ...ends, to: `${callee};tag=t2`, body: description(4_002) });
  return writePcap(LINK_TYPE, [
    { at, bytes: udp(CALLER, CALLEE, invitation) },
    { at: at + 1_000, bytes: udp(CALLEE, CALLER, answer) },
  ]);
}

function description(port: number): string {
  return `v=0\r\no=- 1 1 IN IP4 192.0.2.1\r\ns=-\r\nc=IN IP4 192.0.2.1\r\nt=0 0\r\nm=audio ${port} RTP/AVP 0\r\n`;
}
