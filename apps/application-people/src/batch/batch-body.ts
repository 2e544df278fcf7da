import { InterfaceError } from '@ringdown/web-server/errors';
import { reasons } from '@ringdown/hypermedia';
import { METHODS } from 'node:http';

/** A request inside a batch, as the client wrote it. */
export interface BatchPart {
  readonly method: string;
  readonly target: string;
  /** The headers, by their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Buffer;
}

const BOUNDARY = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;
const MAX_HEADERS = 50;

/**
 * The requests in a body of the type `multipart/batching` (web-interface.md, section 9). It is read as clients write
 * it: with or without a last boundary, with or without lengths and types of the parts, and also with lines that end in
 * LF alone. Throws {@link InterfaceError} `DeserializationFailure`.
 */
export function readBatch(contentType: string | undefined, body: Buffer | undefined): readonly BatchPart[] {
  const [, quoted, plain] = BOUNDARY.exec(contentType ?? '') ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return unreadable('The content type has no boundary.');
  const parts = split((body ?? Buffer.alloc(0)).toString('latin1'), boundary);
  if (parts.length === 0) return unreadable('The body contains no parts.');
  return parts.map((part, at) => readPart(part) ?? unreadable(`Part ${at + 1} does not contain a request.`));
}

/** The parts between the boundaries. */
function split(text: string, boundary: string): readonly string[] {
  const delimiter = new RegExp(String.raw`(?:^|\r?\n)--${RegExp.escape(boundary)}(--)?[ \t]*(?=\r?\n|$)`, 'g');
  const parts: string[] = [];
  let start: number | undefined;
  for (const match of text.matchAll(delimiter)) {
    if (start !== undefined) parts.push(text.slice(start, match.index));
    start = match[1] === undefined ? match.index + match[0].length : undefined;
    if (start === undefined) return parts;
  }
  // One sample of the vendor ends without the last boundary.
  const rest = start === undefined ? '' : text.slice(start);
  return rest.trim() === '' ? parts : [...parts, rest];
}

/** A part has its own headers before the request; they contain nothing that is needed. */
function readPart(part: string): BatchPart | undefined {
  const [, request] = sections(part.replace(/^\r?\n/, ''));
  const [head, body] = sections(request.trimStart());
  const [first = '', ...lines] = head.split(/\r?\n/);
  const blank = first.indexOf(' ');
  const method = first.slice(0, Math.max(0, blank));
  // Clients write targets with spaces in them, and some leave out the version.
  const target = first
    .slice(blank)
    .trimEnd()
    .replace(/\sHTTP\/1\.\d$/, '')
    .trim();
  // A request outside a batch would not be read with another method either.
  if (!METHODS.includes(method) || target === '' || lines.length > MAX_HEADERS) return undefined;
  const headers = new Map(
    lines.flatMap((line): [string, string][] => {
      const colon = line.indexOf(':');
      return colon < 1 ? [] : [[line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()]];
    }),
  );
  return {
    method,
    target: utf8(target).toString(),
    headers,
    body: utf8(ofLength(body, headers.get('content-length'))),
  };
}

/** The text before and after the first empty line. */
function sections(text: string): readonly [string, string] {
  const empty = /(?:^|\r?\n)\r?\n/.exec(text);
  if (empty === null) return [text, ''];
  return [text.slice(0, empty.index), text.slice(empty.index + empty[0].length)];
}

/** Without a length, empty lines at the end are treated as part of the boundary. */
function ofLength(body: string, length: string | undefined): string {
  if (length !== undefined && /^\d{1,9}$/.test(length)) return body.slice(0, Number(length));
  let end = body.length;
  while (end > 0 && '\r\n'.includes(body.charAt(end - 1))) end--;
  return body.slice(0, end);
}

function utf8(bytes: string): Buffer {
  return Buffer.from(bytes, 'latin1');
}

function unreadable(message: string): never {
  throw new InterfaceError(reasons.deserializationFailure, { message });
}
