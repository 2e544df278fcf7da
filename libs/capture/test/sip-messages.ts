/** SIP messages for the tests of the reader: only what it looks at, and long enough for several fragments. */
export function request(method: string, parts: { readonly cseq?: number; readonly body?: string } = {}): Buffer {
  return message(`${method} sip:bob@example.test SIP/2.0`, method, parts);
}

export function response(status: string, method: string): Buffer {
  return message(`SIP/2.0 ${status}`, method, {});
}

function message(start: string, method: string, { cseq = 1, body = '' }: { cseq?: number; body?: string }): Buffer {
  const lines = [
    start,
    'Via: SIP/2.0/UDP 192.0.2.10:5060;branch=z9hG4bK-1',
    'From: "Alice" <sip:alice@example.test>;tag=a1',
    'To: <sip:bob@example.test>',
    'Call-ID: call-1',
    `CSeq: ${cseq} ${method}`,
    ...(body === '' ? [] : ['Content-Type: application/sdp']),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** A session description with audio. */
export function sdp(ip: string, audioPort: number): string {
  const lines = ['v=0', `o=- 1 1 IN IP4 ${ip}`, 's=-', `c=IN IP4 ${ip}`, 't=0 0', `m=audio ${audioPort} RTP/AVP 0 101`];
  return `${[...lines, 'a=rtpmap:0 PCMU/8000', 'a=rtpmap:101 telephone-event/8000'].join('\r\n')}\r\n`;
}
