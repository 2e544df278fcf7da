const HEAD_LIMIT = 32_768;
const BODY_LIMIT = 65_536;
const START_LIMIT = 1_100;
const START_LINE = /^(?:SIP\/2\.0 \d{3}|[A-Z]{1,32} \S{1,1024} SIP\/2\.0\r?\n)/;

/** Whether a SIP message begins here. */
export function isSip(bytes: Buffer): boolean {
  return START_LINE.test(bytes.toString('latin1', 0, START_LIMIT));
}

/**
 * Splits one direction of a TCP connection into SIP messages by their Content-Length (RFC 3261, 18.3). Other bytes are
 * ignored, so a capture may begin in the middle of a message, or have nothing to do with SIP. Bounded.
 */
export class SipStream {
  private rest: Buffer = Buffer.alloc(0);

  /** The messages that are complete now. */
  *push(bytes: Buffer): Generator<Buffer> {
    let rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    this.rest = Buffer.alloc(0);
    for (;;) {
      rest = withoutBlankLines(rest);
      if (rest.length === 0) return;
      const length = lengthOfMessage(rest);
      if (length === 'none') return;
      if (length === 'unknown' || rest.length < length) {
        this.rest = rest;
        return;
      }
      yield rest.subarray(0, length);
      rest = rest.subarray(length);
    }
  }

  /** Drops an incomplete message, because a part of it is missing. */
  reset(): void {
    this.rest = Buffer.alloc(0);
  }
}

function withoutBlankLines(bytes: Buffer): Buffer {
  let at = 0;
  while (bytes[at] === 13 || bytes[at] === 10) at++;
  return bytes.subarray(at);
}

/** `unknown` while there are too few bytes to know it. */
function lengthOfMessage(bytes: Buffer): number | 'unknown' | 'none' {
  const isBegun = bytes.length < START_LIMIT && !bytes.includes('\n') && /^[A-Z]/.test(bytes.toString('latin1', 0, 1));
  if (!isBegun && !isSip(bytes)) return 'none';
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd > HEAD_LIMIT || (headEnd === -1 && bytes.length > HEAD_LIMIT)) return 'none';
  if (headEnd === -1) return 'unknown';
  const head = bytes.toString('latin1', 0, headEnd);
  const bodyLength = Number(/\n(?:content-length|l)\s*:\s*(\d{1,8})/i.exec(head)?.[1] ?? 0);
  return bodyLength > BODY_LIMIT ? 'none' : headEnd + 4 + bodyLength;
}
