/**
 * A POST in the one form that is read without Node's parser: a single request of HTTP/1.1 with a length, a few headers that do
 * not change how it is read, and nothing behind it. Whatever is in any other form is left to Node.
 */
export interface PlainPost {
  readonly path: string;
  readonly host: string;
  readonly body: Buffer;
}

/** `unfinished`: the head is in that form, and bytes of the body are missing. Undefined: not in that form. */
export type PlainReading = PlainPost | 'unfinished' | undefined;

export interface PlainForm {
  /** Larger bodies are left to Node. */
  readonly mostBytes: number;
  /** Whether a body with this `Content-Type` is read. */
  readonly isType: (contentType: string) => boolean;
}

/** A head of a front end has about 150. */
const MOST_HEAD_BYTES = 1_024;
const HEAD_END = Buffer.from('\r\n\r\n');
const REQUEST_LINE = /^POST (\/[!-~]*) HTTP\/1\.1$/;
/** No tabs, no control characters, and no line end but the one that lines are divided by. */
const PRINTABLE = /^[ -~]+$/;
const HOST = /^[\w.:[\]-]+$/;
const LENGTH = /^(?:0|[1-9]\d{0,5})$/;

/** The headers that a plain post may have, each once; `undefined` accepts any value. */
const HEADERS: ReadonlyMap<string, RegExp | undefined> = new Map([
  ['host', HOST],
  ['content-length', LENGTH],
  ['content-type', undefined],
  ['connection', /^keep-alive$/i],
  ['accept', undefined],
  ['user-agent', undefined],
]);

/** Reads what has arrived on a connection since its last reply. */
export function readPlainPost(bytes: Buffer, form: PlainForm): PlainReading {
  const end = bytes.indexOf(HEAD_END);
  if (end === -1 || end > MOST_HEAD_BYTES) return undefined;
  const head = plainHead(bytes.toString('latin1', 0, end), form);
  if (head === undefined) return undefined;
  const { path, host, length } = head;
  const begin = end + HEAD_END.length;
  if (bytes.length < begin + length) return 'unfinished';
  return bytes.length === begin + length ? { path, host, body: bytes.subarray(begin) } : undefined;
}

interface PlainHead extends Pick<PlainPost, 'path' | 'host'> {
  /** Of the body. */
  readonly length: number;
}

function plainHead(text: string, { mostBytes, isType }: PlainForm): PlainHead | undefined {
  const [requestLine = '', ...lines] = text.split('\r\n');
  const path = REQUEST_LINE.exec(requestLine)?.[1];
  const headers = plainHeaders(lines);
  const host = headers?.get('host');
  const contentType = headers?.get('content-type');
  const length = Number(headers?.get('content-length') ?? Infinity);
  if (path === undefined || host === undefined || length > mostBytes) return undefined;
  return contentType !== undefined && isType(contentType) ? { path, host, length } : undefined;
}

/** Undefined when one of them is not plain. */
function plainHeaders(lines: readonly string[]): ReadonlyMap<string, string> | undefined {
  const found = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    const isPlain = colon !== -1 && HEADERS.has(name) && !found.has(name) && PRINTABLE.test(line);
    if (!isPlain || HEADERS.get(name)?.test(value) === false) return undefined;
    found.set(name, value);
  }
  return found;
}
