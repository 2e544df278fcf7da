import { detached } from '../packet/detached.js';
import { nextStart } from './next-start.js';

const HEAD_LIMIT = 32_768;
const BODY_LIMIT = 65_536;
const START_LIMIT = 1_100;
const START_LINE = /^(?:SIP\/2\.0 \d{3}|[A-Z]{1,32} \S{1,1024} SIP\/2\.0\r?\n)/;
/** How often a message start that turns out to be none is passed over in the same bytes. */
const MAX_FALSE_STARTS = 8;

/** Whether a SIP message begins here. */
export function isSip(bytes: Buffer): boolean {
  return START_LINE.test(bytes.toString('latin1', 0, START_LIMIT));
}

/**
 * Splits one direction of a TCP connection into SIP messages by their Content-Length (RFC 3261, 18.3). Other bytes are
 * ignored, so a capture may begin in the middle of a message, or have nothing to do with SIP. After a gap, it continues
 * with the next start of a message. Bounded.
 */
export class SipStream {
  private rest: Buffer = Buffer.alloc(0);
  private hasMessages = false;
  private isLost = false;

  /** Whether it has returned a message, or has the beginning of one. */
  get isSip(): boolean {
    return this.hasMessages || this.rest.length > 0;
  }

  /** The messages that are complete now. */
  *push(bytes: Buffer): Generator<Buffer> {
    let rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    this.rest = Buffer.alloc(0);
    let starts = 0;
    for (;;) {
      rest = withoutBlankLines(rest);
      if (this.isLost) rest = this.fromNextStart(rest);
      if (rest.length === 0) return;
      const length = lengthOfMessage(rest);
      if (length === 'none') {
        // Only where there was SIP before: a file in another protocol may contain the text of messages.
        if (!this.hasMessages || ++starts > MAX_FALSE_STARTS) return;
        this.isLost = true;
        rest = rest.subarray(1);
      } else if (length === 'unknown' || rest.length < length) {
        this.rest = detached(rest);
        return;
      } else {
        this.hasMessages = true;
        yield rest.subarray(0, length);
        rest = rest.subarray(length);
      }
    }
  }

  /** Bytes are missing here. Returns the beginning of the message in which they are. */
  gap(): Buffer | undefined {
    const cut = isSip(this.rest) ? this.rest : undefined;
    this.isLost = this.isSip;
    this.rest = Buffer.alloc(0);
    return cut;
  }

  private fromNextStart(bytes: Buffer): Buffer {
    const at = nextStart(bytes, isSip);
    this.isLost = at === -1;
    return at === -1 ? Buffer.alloc(0) : bytes.subarray(at);
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
  const headEnd = bytes.subarray(0, HEAD_LIMIT + 4).indexOf('\r\n\r\n');
  if (headEnd === -1) return bytes.length > HEAD_LIMIT ? 'none' : 'unknown';
  const head = bytes.toString('latin1', 0, headEnd);
  const bodyLength = Number(/\n(?:content-length|l)\s*:\s*(\d{1,8})/i.exec(head)?.[1] ?? 0);
  return bodyLength > BODY_LIMIT ? 'none' : headEnd + 4 + bodyLength;
}
