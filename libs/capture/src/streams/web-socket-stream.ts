import { detached } from '../packet/detached.js';
import { isSip } from './sip-stream.js';
import { readFrameHeader, unmasked, type FrameHeader } from './web-socket-frame.js';

/** The longest message of a SIP stream, too. */
const MESSAGE_LIMIT = 98_304;
const MAX_PARTS = 1_024;
const BEGINNING = 1_200;
const HEAD_LIMIT = 8_192;
const HTTP_START = /^(?:GET \S{1,1024} HTTP\/1\.1\r\n|HTTP\/1\.1 101 )/;
const SIP_OVER_WEB_SOCKET = /\r\nsec-websocket-protocol:[^\r\n]{0,200}\bsip\b/i;

/** Whether a request or response that can open a WebSocket begins here. */
export function isHttpUpgrade(bytes: Buffer): boolean {
  return HTTP_START.test(bytes.toString('latin1', 0, BEGINNING));
}

/** The length of the head that opens SIP over WebSocket (RFC 7118). `none` if it opens something else. */
export function upgradeLength(bytes: Buffer): number | 'unknown' | 'none' {
  const end = bytes.subarray(0, HEAD_LIMIT).indexOf('\r\n\r\n');
  if (end === -1) return bytes.length < HEAD_LIMIT ? 'unknown' : 'none';
  return SIP_OVER_WEB_SOCKET.test(bytes.toString('latin1', 0, end)) ? end + 4 : 'none';
}

/** Whether a frame with the beginning of a SIP message is here: the capture has not the begin of the connection. */
export function isSipFrame(bytes: Buffer): boolean {
  const header = readFrameHeader(bytes);
  if (header === undefined || header === 'invalid' || header.isControl || header.isContinuation) return false;
  const { headerLength, payloadLength, mask } = header;
  if (payloadLength > MESSAGE_LIMIT || header.isCompressed) return false;
  return isSip(unmasked(bytes.subarray(headerLength, headerLength + Math.min(payloadLength, BEGINNING)), mask));
}

/** The SIP messages in one direction of a WebSocket (RFC 6455, RFC 7118). Bounded. */
export class WebSocketStream {
  private rest: Buffer = Buffer.alloc(0);
  /** How many bytes of a frame that is too long are still to come. */
  private toSkip = 0;
  private parts: Buffer[] = [];
  private partsLength = 0;
  private isLost = false;
  /** Whether the frames of the current message are passed over. */
  private isIgnored = false;

  constructor(private readonly onCompressed: () => void) {}

  *push(bytes: Buffer): Generator<Buffer> {
    if (this.isLost) {
      if (!isSipFrame(bytes)) return;
      this.isLost = false;
    }
    let rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    for (;;) {
      const skipped = Math.min(this.toSkip, rest.length);
      this.toSkip -= skipped;
      rest = rest.subarray(skipped);
      const header = readFrameHeader(rest);
      if (header === 'invalid') {
        this.lose();
        return;
      }
      const isTooLong = header !== undefined && header.payloadLength > MESSAGE_LIMIT;
      if (!header || (!isTooLong && rest.length < header.headerLength + header.payloadLength)) {
        this.rest = detached(rest);
        return;
      }
      const end = header.headerLength + (isTooLong ? 0 : header.payloadLength);
      if (isTooLong) this.toSkip = header.payloadLength;
      const message = header.isControl
        ? undefined
        : this.add(header, isTooLong, rest.subarray(header.headerLength, end));
      if (message && isSip(message)) yield message;
      rest = rest.subarray(end);
    }
  }

  /** Bytes are missing here. Returns the beginning of the message in which they are. */
  gap(): Buffer | undefined {
    const header = this.rest.length === 0 ? undefined : readFrameHeader(this.rest);
    if (header && header !== 'invalid' && !header.isControl && !header.isCompressed)
      this.parts.push(unmasked(this.rest.subarray(header.headerLength), header.mask));
    const begun = Buffer.concat(this.parts);
    this.lose();
    return isSip(begun) ? begun : undefined;
  }

  private lose(): void {
    this.isLost = true;
    this.rest = Buffer.alloc(0);
    this.toSkip = 0;
    this.forgetMessage();
  }

  /** The message, if this is its last frame. */
  private add(header: FrameHeader, isTooLong: boolean, payload: Buffer): Buffer | undefined {
    if (!header.isContinuation) this.forgetMessage();
    if (header.isCompressed) this.onCompressed();
    this.partsLength += payload.length;
    const isTooMuch = isTooLong || this.partsLength > MESSAGE_LIMIT || this.parts.length === MAX_PARTS;
    this.isIgnored ||= isTooMuch || header.isCompressed;
    if (this.isIgnored) this.parts = [];
    else this.parts.push(header.mask ? unmasked(payload, header.mask) : detached(payload));
    if (!header.isLast || this.isIgnored) return undefined;
    const message = Buffer.concat(this.parts);
    this.forgetMessage();
    return message;
  }

  private forgetMessage(): void {
    this.parts = [];
    this.partsLength = 0;
    this.isIgnored = false;
  }
}
