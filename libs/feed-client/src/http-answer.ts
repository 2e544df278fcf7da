/** The answer of a collector, with any status. */
export interface CollectorAnswer {
  readonly status: number;
  readonly body: string;
}

/** No usable answer was received. The message gives the reason for an operator. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** The answer at the beginning of the bytes received so far. */
export type HttpAnswer =
  /** `100 Continue` or another interim answer; the final one follows. */
  | { readonly kind: 'interim'; readonly status: number; readonly length: number }
  | {
      readonly kind: 'final';
      readonly answer: CollectorAnswer;
      readonly length: number;
      /** Whether the connection may carry another request. */
      readonly isKept: boolean;
    };

const MAX_HEAD = 16 * 1_024;
const MAX_BODY = 64 * 1_024;
/** Statuses that never have a body (RFC 9110, 6.4.1). */
const BODILESS: ReadonlySet<number> = new Set([204, 304]);

/**
 * Reads one HTTP/1.1 answer to a POST (RFC 9112). Undefined while it is incomplete. `isEnd`: the collector has closed
 * the connection, nothing more follows. Throws {@link NoAnswer}.
 */
export function readHttpAnswer(bytes: Buffer, isEnd: boolean): HttpAnswer | undefined {
  const headEnd = bytes.indexOf('\r\n\r\n');
  if (headEnd > MAX_HEAD || (headEnd === -1 && bytes.length > MAX_HEAD)) {
    throw new NoAnswer(`the headers of the answer are longer than ${MAX_HEAD} bytes`);
  }
  if (headEnd === -1) return unfinishedHead(bytes, isEnd);
  const [startLine = '', ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const [, minor, digits] = START_LINE.exec(startLine) ?? notHttp();
  const status = Number(digits);
  const headers = readHeaders(lines);
  const bodyAt = headEnd + 4;
  if (status < 200) return { kind: 'interim', status, length: bodyAt };
  const body = BODILESS.has(status) ? { length: 0, text: '', isKept: true } : readBody(bytes, bodyAt, headers, isEnd);
  if (!body) return undefined;
  const isKept = body.isKept && staysOpen(minor, headers);
  return { kind: 'final', answer: { status, body: body.text }, length: bodyAt + body.length, isKept };
}

type Headers = ReadonlyMap<string, string>;

const START_LINE = /^HTTP\/1\.([01]) ([1-5]\d{2})(?: |$)/;
const VERSION_PREFIX = 'HTTP/1.';
/** The first byte with which a TLS server rejects what is not TLS (RFC 8446, 5.1). */
const TLS_ALERT = 0x15;

function notHttp(): never {
  throw new NoAnswer('the answer is not HTTP/1.1');
}

function unfinishedHead(bytes: Buffer, isEnd: boolean): undefined {
  if (bytes[0] === TLS_ALERT)
    throw new NoAnswer('the port expects TLS: should the address begin with https:// instead of http://?');
  const seen = bytes.toString('latin1', 0, VERSION_PREFIX.length);
  if (!VERSION_PREFIX.startsWith(seen)) notHttp();
  if (isEnd) throw new NoAnswer(bytes.length === 0 ? 'the connection was closed' : 'the answer is incomplete');
}

function readHeaders(lines: readonly string[]): Headers {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) notHttp();
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return headers;
}

interface Body {
  /** Length on the wire, bytes. */
  readonly length: number;
  readonly text: string;
  readonly isKept: boolean;
}

function readBody(bytes: Buffer, at: number, headers: Headers, isEnd: boolean): Body | undefined {
  const coding = headers.get('transfer-encoding');
  if (coding !== undefined) {
    if (coding.toLowerCase() !== 'chunked')
      throw new NoAnswer(`the answer has the unsupported transfer coding "${coding.slice(0, 40)}"`);
    return readChunks(bytes, at, isEnd);
  }
  const given = headers.get('content-length');
  const length = given === undefined ? bytes.length - at : lengthIn(given);
  if (length > MAX_BODY) throw tooLong();
  const isWhole = given === undefined ? isEnd : bytes.length - at >= length;
  if (!isWhole) return unfinished(isEnd);
  return { length, text: bytes.toString('utf8', at, at + length), isKept: given !== undefined };
}

/** A repeated Content-Length must have the same value each time (RFC 9112, 6.3). */
function lengthIn(given: string): number {
  const [first = '', ...others] = listItems(given);
  if (!/^\d{1,15}$/.test(first) || others.some((other) => other !== first)) notHttp();
  return Number(first);
}

/** RFC 9112, 7.1. Trailers after the last chunk are ignored. */
function readChunks(bytes: Buffer, from: number, isEnd: boolean): Body | undefined {
  const chunks: Buffer[] = [];
  let length = 0;
  for (let at = from; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return unfinished(isEnd);
    const size = chunkSize(bytes.toString('latin1', at, Math.min(lineEnd, at + MAX_HEAD)));
    const dataAt = lineEnd + 2;
    if (size === 0) return afterLastChunk(bytes, from, lineEnd, chunks, isEnd);
    length += size;
    if (length > MAX_BODY) throw tooLong();
    if (bytes.length < dataAt + size + 2) return unfinished(isEnd);
    chunks.push(bytes.subarray(dataAt, dataAt + size));
    at = dataAt + size + 2;
    if (bytes[at - 2] !== 13 || bytes[at - 1] !== 10) notHttp();
  }
}

function chunkSize(line: string): number {
  const digits = /^([\da-f]{1,8})\s*(?:;|$)/i.exec(line)?.[1] ?? notHttp();
  return Number.parseInt(digits, 16);
}

/** Trailers end with an empty line; without trailers it follows the line of the last chunk directly. */
function afterLastChunk(
  bytes: Buffer,
  from: number,
  lineEnd: number,
  chunks: readonly Buffer[],
  isEnd: boolean,
): Body | undefined {
  const end = bytes.indexOf('\r\n\r\n', lineEnd);
  if (end === -1 && bytes.length - lineEnd > MAX_HEAD) throw tooLong();
  if (end === -1) return unfinished(isEnd);
  return { length: end + 4 - from, text: Buffer.concat(chunks).toString('utf8'), isKept: true };
}

function unfinished(isEnd: boolean): undefined {
  if (isEnd) throw new NoAnswer('the answer is incomplete');
}

function tooLong(): NoAnswer {
  return new NoAnswer(`the answer is longer than ${MAX_BODY} bytes`);
}

/** RFC 9112, 9.3. */
function staysOpen(minor: string | undefined, headers: Headers): boolean {
  const options = listItems((headers.get('connection') ?? '').toLowerCase());
  return minor === '1' ? !options.includes('close') : options.includes('keep-alive');
}

function listItems(value: string): string[] {
  return value.split(',').map((item) => item.trim());
}
