import { hideInSdp } from './hide-sdp.js';
import { hideSipHeader, SHORT_HEADER_NAMES } from './hide-sip-header.js';
import { hideText } from './hide-text.js';
import { hiddenMark } from './hide-unknown-words.js';
import { domainIn, hideSipAddress, SIP_METHODS, SIP_WORDS, type IsShownHost } from './hide-sip-address.js';
import { boundaryIn, hiddenBoundary, splitMultipart } from './multipart.js';
import type { UserToken } from './user-token.js';

const REQUEST_LINE = /^([A-Z]{1,32}) (\S{1,8192}) SIP\/2\.0$/;
/** As long as telephone numbers, also as they are dialled, with prefixes. */
const LONG_NUMBER = /(?<![\dA-Za-z.])\d{7,39}(?![\dA-Za-z.])/g;
/** What has long numbers of machines: session ids, times, candidates; the source of an attribute. */
const MACHINE_LINES = /^(?:[ot]=|a=candidate:)/;
const MACHINE_SOURCE = /^a=ssrc:\d{1,10} /;
const STATUS_LINE = /^SIP\/2\.0 ([1-6]\d{2})(?: (.*))?$/;
/** A header of the body or of one of its parts. */
const BODY_HEADER = /^content-/;
/** How many bodies may be inside one another; real messages have two. */
const MAX_DEPTH = 4;

/** How the bodies of one message are hidden. */
interface Hiding {
  readonly token: UserToken;
  readonly hideSdp: (sdp: string, token: UserToken) => string;
  /** Around the text that is hidden. */
  readonly depth: number;
}

/**
 * A message of SIP with its users hidden: of the first line, the headers and the description of the session only what is known
 * not to be about people is shown, and a mark replaces the rest. Names of hosts are shown if they are the domain of From or To:
 * others may be those of phones. Takes time linear in the message.
 */
export function hideSipMessage(text: string, token: UserToken): string {
  return hideMessage(text, { token, hideSdp: hideDescription, depth: 0 });
}

/**
 * The descriptions of a record: one, or a multipart text with several, which may begin with its own headers. Of such a text,
 * the same is shown as of the body of a message.
 */
export function hideRawSdp(text: string, token: UserToken): string {
  const hiding: Hiding = { token, hideSdp: hideInSdp, depth: 0 };
  const [, boundary] = /^\s*--([^\r\n]{1,70})[\r\n]/.exec(text) ?? [];
  if (boundary !== undefined) return hideParts(text, boundary.trimEnd(), hiding);
  return /^\s*[a-z][\w-]{2,63}[ \t]*:/i.test(text) ? hidePart(text.trimStart(), hiding) : hideInSdp(text, token);
}

function hideMessage(text: string, hiding: Hiding): string {
  const { token } = hiding;
  const { head, body } = splitAtBody(text.replace(/^[\r\n]+/, ''));
  const [first = '', ...lines] = unfolded(head);
  const headers = headersIn(lines);
  const domains = new Set(
    headers.filter(({ name }) => name === 'from' || name === 'to').map(({ value }) => domainIn(value)),
  );
  const isDomain: IsShownHost = (name) => domains.has(name);
  const hidden = headers.map((header) => hideHeader(header, token, isDomain));
  return `${hideFirstLine(first, token, isDomain)}\r\n${withBody(hidden, body, hiding)}`;
}

/** The headers, an empty line, and the body with its new length. */
function withBody(headers: readonly HiddenHeader[], body: string, hiding: Hiding): string {
  const type = headers.find(({ name }) => name === 'content-type')?.value ?? '';
  const hiddenBody = hideBody(body, type, hiding);
  const length = String(Buffer.byteLength(hiddenBody));
  const shown = headers.map(({ name, hidden, label }) => `${label}: ${name === 'content-length' ? length : hidden}`);
  return [...shown, '', hiddenBody].join('\r\n');
}

interface Header {
  /** In lower case and in its long form; empty for a line that is not a header. */
  readonly name: string;
  readonly written: string;
  readonly value: string;
}

interface HiddenHeader {
  readonly name: string;
  readonly value: string;
  readonly label: string;
  readonly hidden: string;
}

function splitAtBody(text: string): { readonly head: string; readonly body: string } {
  const end = text.indexOf('\r\n\r\n');
  const bare = text.indexOf('\n\n');
  if (end !== -1 && (bare === -1 || end < bare)) return { head: text.slice(0, end), body: text.slice(end + 4) };
  return bare === -1 ? { head: text, body: '' } : { head: text.slice(0, bare), body: text.slice(bare + 2) };
}

/** A line that begins with a blank continues the line before it. */
function unfolded(head: string): readonly string[] {
  const lines: string[] = [];
  for (const line of head.split(/\r\n|\n|\r/)) {
    const isContinued = /^[ \t]/.test(line) && lines.length > 0;
    if (isContinued) lines.push(`${lines.pop() ?? ''} ${line.trim()}`);
    else lines.push(line);
  }
  return lines;
}

function headersIn(lines: readonly string[]): readonly Header[] {
  return lines.filter((line) => line !== '').map(headerIn);
}

function headerIn(line: string): Header {
  const colon = line.indexOf(':');
  if (colon === -1) return { name: '', written: line, value: '' };
  const written = line.slice(0, colon).trim();
  const lower = written.toLowerCase();
  return { name: SHORT_HEADER_NAMES.get(lower) ?? lower, written, value: line.slice(colon + 1).trim() };
}

function hideHeader({ name, written, value }: Header, token: UserToken, isDomain: IsShownHost): HiddenHeader {
  const hidden = hideSipHeader(name, value, token, isDomain);
  return hidden === undefined
    ? hideWholeHeader({ name, written, value }, token)
    : { name, value, label: written, hidden };
}

/** The name of an unknown header may be anything. */
function hideWholeHeader({ name, written, value }: Header, token: UserToken): HiddenHeader {
  return { name, value, label: hiddenMark(written, token), hidden: value === '' ? '' : hiddenMark(value, token) };
}

function hideFirstLine(line: string, token: UserToken, isDomain: IsShownHost): string {
  const request = REQUEST_LINE.exec(line);
  if (request) {
    const [, method = '', uri = ''] = request;
    return `${SIP_METHODS.has(method) ? method : hiddenMark(method, token)} ${hideSipAddress(uri, token, isDomain)} SIP/2.0`;
  }
  const status = STATUS_LINE.exec(line);
  if (!status) return hiddenMark(line, token);
  const [, code = '', phrase = ''] = status;
  return `SIP/2.0 ${code} ${hideText(phrase, { known: SIP_WORDS, numbers: 'none' }, token)}`;
}

function hideBody(body: string, type: string, { token, hideSdp, depth }: Hiding): string {
  if (body.trim() === '') return body === '' ? '' : '\r\n';
  const mediaType = (type.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (mediaType === 'application/sdp') return hideSdp(body, token);
  const inside: Hiding = { token, hideSdp, depth: depth + 1 };
  if (depth < MAX_DEPTH && mediaType === 'message/sipfrag') return hideMessage(body, inside);
  const isMultipart = depth < MAX_DEPTH && mediaType.startsWith('multipart/');
  const boundary = isMultipart ? boundaryIn(type)?.boundary : undefined;
  return boundary === undefined ? hiddenMark(body, token) : hideParts(body, boundary, inside);
}

/** Each part is hidden like a body of its own type. One mark replaces all that cannot be split at the boundary. */
function hideParts(body: string, boundary: string, hiding: Hiding): string {
  const { token } = hiding;
  const multipart = splitMultipart(body, boundary);
  if (multipart === undefined) return hiddenMark(body, token);
  const { preamble, parts, epilogue } = multipart;
  const outside = (text: string): string => (text.trim() === '' ? '' : `${hiddenMark(text, token)}\r\n`);
  const delimiter = `--${hiddenBoundary(boundary, token)}`;
  const shown = parts.map((part) => `${delimiter}\r\n${hidePart(part, hiding)}\r\n`);
  return `${outside(preamble)}${shown.join('')}${delimiter}--\r\n${outside(epilogue)}`;
}

/** Without a type of its own, a part is plain text. */
function hidePart(part: string, hiding: Hiding): string {
  const [, start, rest = ''] = /^(\r\n|\n)?(.*)$/s.exec(part) ?? [];
  const { head, body } = start === undefined ? splitAtBody(rest) : { head: '', body: rest };
  const headers = headersIn(unfolded(head)).map((header) =>
    // Other headers have no meaning in a part, and could be lines of a text.
    BODY_HEADER.test(header.name)
      ? hideHeader(header, hiding.token, () => false)
      : hideWholeHeader(header, hiding.token),
  );
  return withBody(headers, body, hiding);
}

/** Numbers in descriptions of media are short; longer ones could be those of telephones. */
function hideDescription(body: string, token: UserToken): string {
  return hideInSdp(body, token)
    .split(/([\r\n])/)
    .map((line) => {
      if (MACHINE_LINES.test(line)) return line;
      const shown = MACHINE_SOURCE.exec(line)?.[0] ?? '';
      return shown + line.slice(shown.length).replaceAll(LONG_NUMBER, (number) => token(number));
    })
    .join('');
}
