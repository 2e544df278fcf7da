/** A SIP message before it is written. */
export interface SipContent {
  /** First line. */
  readonly line: string;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string | undefined;
}

const LINE_END = '\r\n';

export function sipText({ line, headers, body = '' }: SipContent): string {
  const given = Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]));
  const type = body === '' ? [] : ['Content-Type: application/sdp'];
  return [line, ...given, ...type, `Content-Length: ${Buffer.byteLength(body)}`, '', body].join(LINE_END);
}

export interface Description {
  readonly ip: string;
  readonly port: number;
  readonly codec: string;
  readonly hasVideo: boolean;
  readonly direction: 'sendrecv' | 'sendonly' | 'recvonly';
  /** Counted from 1. */
  readonly version: number;
}

/** Session description (RFC 4566). */
export function sdpText({ ip, port, codec, hasVideo, direction, version }: Description): string {
  const lines = [
    'v=0',
    `o=- ${port} ${version} IN IP4 ${ip}`,
    's=-',
    `c=IN IP4 ${ip}`,
    't=0 0',
    `m=audio ${port} RTP/AVP 104 8 101`,
    `a=rtpmap:104 ${codec}`,
    'a=rtpmap:8 PCMA/8000',
    'a=rtpmap:101 telephone-event/8000',
    `a=${direction}`,
    ...(hasVideo ? [`m=video ${port + 2} RTP/AVP 122`, 'a=rtpmap:122 X-H264UC/90000', `a=${direction}`] : []),
  ];
  return `${lines.join(LINE_END)}${LINE_END}`;
}
