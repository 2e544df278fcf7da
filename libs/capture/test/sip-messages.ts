/** SIP messages for tests: a call from alice to bob through a proxy. */
export interface MessageParts {
  /** The Request-URI; by default Bob. */
  readonly target?: string;
  readonly callId?: string;
  readonly cseq?: number;
  readonly from?: string;
  readonly to?: string;
  /** Identifies the hop and its transaction. */
  readonly branch?: string;
  readonly headers?: readonly string[];
  readonly body?: string;
  readonly contentType?: string;
}

export const ALICE = '"Alice" <sip:alice@example.test>;tag=a1';
export const BOB = '<sip:bob@example.test>';
export const BOB_ANSWERING = '<sip:bob@example.test>;tag=b1';

export function request(method: string, parts: MessageParts = {}): Buffer {
  return message(`${method} ${parts.target ?? 'sip:bob@example.test'} SIP/2.0`, method, parts);
}

/** `to` selects which of the called devices answers. */
export function response(status: string, method: string, parts: MessageParts = {}): Buffer {
  return message(`SIP/2.0 ${status}`, method, { to: BOB_ANSWERING, ...parts });
}

function message(start: string, method: string, parts: MessageParts): Buffer {
  const { callId = 'call-1', cseq = 1, from = ALICE, to = BOB, branch = 'z9hG4bK-1', headers = [], body = '' } = parts;
  const { contentType = 'application/sdp' } = parts;
  const lines = [
    start,
    `Via: SIP/2.0/UDP 192.0.2.10:5060;branch=${branch}`,
    `From: ${from}`,
    `To: ${to}`,
    `Call-ID: ${callId}`,
    `CSeq: ${cseq} ${method}`,
    ...headers,
    ...(body === '' ? [] : [`Content-Type: ${contentType}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** A session description with audio and, if a port for it is given, video. */
export function sdp(ip: string, audioPort: number, more: { videoPort?: number; audio?: string[] } = {}): string {
  const { videoPort, audio = [] } = more;
  const lines = ['v=0', `o=- 1 1 IN IP4 ${ip}`, 's=-', `c=IN IP4 ${ip}`, 't=0 0'];
  lines.push(
    `m=audio ${audioPort} RTP/AVP 0 101`,
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:101 telephone-event/8000',
    ...audio,
  );
  if (videoPort !== undefined) lines.push(`m=video ${videoPort} RTP/AVP 97`, 'a=rtpmap:97 H264/90000');
  return `${lines.join('\r\n')}\r\n`;
}
