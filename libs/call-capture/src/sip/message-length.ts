const HEAD_LIMIT = 32_768;
const BODY_LIMIT = 65_536;
const START_LIMIT = 1_100;
const START_LINE = /^(?:SIP\/2\.0 \d{3}|[A-Z]{1,32} \S{1,1024} SIP\/2\.0[ \t]{0,8}(?:\r?\n|$))/;
const CONTENT_LENGTH = /\n(?:content-length|l)[ \t]*:[ \t]*(\d{1,8})/i;

/** Endpoints and proxies keep NAT bindings open with blank lines and the like. */
export function isKeepAlive(bytes: Buffer): boolean {
  return bytes.length <= 4 && /^[\s\0]*$/.test(bytes.toString('latin1'));
}

/** Whether these bytes may be the rest of a message: headers, or lines of a session description. */
export function mayBeRest(bytes: Buffer): boolean {
  return bytes.length <= BODY_LIMIT && bytes.includes('\r\n') && !isKeepAlive(bytes);
}

/** Whether the first line of a message begins here. */
export function beginsMessage(bytes: Buffer): boolean {
  return START_LINE.test(bytes.toString('latin1', 0, START_LIMIT));
}

/**
 * How many bytes a message has that begins here, by its Content-Length (RFC 3261, 18.3). Undefined: its head is not complete.
 * Without Content-Length, or with an impossible one, it reaches to the end.
 */
export function messageLength(bytes: Buffer): number | undefined {
  const head = bytes.toString('latin1', 0, HEAD_LIMIT + 4);
  const end = head.indexOf('\r\n\r\n');
  if (end === -1) return head.includes('\n\n') || bytes.length > HEAD_LIMIT ? bytes.length : undefined;
  const length = Number(CONTENT_LENGTH.exec(head.slice(0, end + 1))?.[1] ?? Number.NaN);
  return length <= BODY_LIMIT ? end + 4 + length : bytes.length;
}
