/** The distances of all messages are exact. */
const NOW = Date.now();

/** Captured messages of SIP, as senders post them. */
export interface Captured {
  readonly callId: string;
  readonly from: string;
  readonly to: string;
  /** First line. */
  readonly line: string;
  readonly cseq?: string;
  /** How long ago, in seconds. */
  readonly ago: number;
  /** Session description. */
  readonly sdp?: string;
}

export function captured({ callId, from, to, line, cseq = '1 INVITE', ago, sdp = '' }: Captured): object {
  const [source, destination] = [from, to].map((ip) => ({ ip, port: 5060 }));
  const type = sdp === '' ? [] : ['Content-Type: application/sdp'];
  const headers = [`Call-ID: ${callId}`, `CSeq: ${cseq}`, 'User-Agent: Phone/1.0', ...type];
  const payload = Buffer.from(`${[line, ...headers].join('\r\n')}\r\n\r\n${sdp}`).toString('base64');
  const at = Math.round((NOW - ago * 1_000) * 1_000);
  return { callId, at, source, destination, content: 'sip', point: 'tap-1', payload };
}

export function offerOf(direction: string, port = 50_000): string {
  return [
    'v=0',
    'o=- 1 1 IN IP4 10.1.0.10',
    's=-',
    'c=IN IP4 10.1.0.10',
    't=0 0',
    `m=audio ${port} RTP/AVP 0 96`,
    'a=rtpmap:96 opus/48000/2',
    `a=${direction}`,
    '',
  ].join('\r\n');
}

/** A long call through a proxy, with this many messages. */
export function longTrace(callId: string, count: number): readonly object[] {
  const hops = ['10.1.0.10', '10.9.0.1', '10.2.0.20'];
  return Array.from({ length: count }, (_, n) => {
    const [from = '', to = ''] = n % 4 < 2 ? [hops[n % 4], hops[(n % 4) + 1]] : [hops[4 - (n % 4)], hops[3 - (n % 4)]];
    const [number, isRequest] = [Math.floor(n / 4) + 1, n % 4 < 2];
    const line = isRequest ? 'INVITE sip:ben@example.test SIP/2.0' : 'SIP/2.0 200 OK';
    const sdp = offerOf(number % 2 === 0 ? 'sendonly' : 'sendrecv', 50_000 + (n % 4));
    return captured({ callId, from, to, line, cseq: `${number} INVITE`, ago: count - n, sdp });
  });
}
