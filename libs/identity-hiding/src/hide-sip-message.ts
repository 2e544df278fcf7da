import { hideInSdp } from './hide-sdp.js';
import { hideSipHeader, SHORT_HEADER_NAMES } from './hide-sip-header.js';
import { hideText } from './hide-text.js';
import { markOf } from './hide-unknown-words.js';
import { domainIn, hideSipAddress, SIP_METHODS, SIP_WORDS, type IsShownHost } from './hide-sip-address.js';
import type { UserToken } from './user-token.js';

const REQUEST_LINE = /^([A-Z]{1,32}) (\S{1,8192}) SIP\/2\.0$/;
/** As long as telephone numbers. */
const LONG_NUMBER = /(?<![\dA-Za-z.])\d{7,15}(?![\dA-Za-z.])/g;
/** What has long numbers of machines: session ids, times, candidates; the source of an attribute. */
const MACHINE_LINES = /^(?:[ot]=|a=candidate:)/;
const MACHINE_SOURCE = /^a=ssrc:\d{1,10} /;
const STATUS_LINE = /^SIP\/2\.0 ([1-6]\d{2})(?: (.*))?$/;

/**
 * A message of SIP with its users hidden: of the first line, the headers and the description of the session only what is known
 * not to be about people is shown, and a mark replaces the rest. Names of hosts are shown if they are the domain of From or To:
 * others may be those of phones. Takes time linear in the message.
 */
export function hideSipMessage(text: string, token: UserToken): string {
  const { head, body } = splitAtBody(text.replace(/^[\r\n]+/, ''));
  const [first = '', ...lines] = unfolded(head);
  const parts = lines.filter((line) => line !== '').map(headerIn);
  const domains = new Set(
    parts.filter(({ name }) => name === 'from' || name === 'to').map(({ value }) => domainIn(value)),
  );
  const isDomain: IsShownHost = (name) => domains.has(name);
  const headers = parts.map((part) => hideHeader(part, token, isDomain));
  const type = headers.find(({ name }) => name === 'content-type')?.value.toLowerCase() ?? '';
  const hiddenBody = hideBody(body, type, token);
  const length = String(Buffer.byteLength(hiddenBody));
  const shown = headers.map(({ name, hidden, label }) => `${label}: ${name === 'content-length' ? length : hidden}`);
  return `${[hideFirstLine(first, token, isDomain), ...shown].join('\r\n')}\r\n\r\n${hiddenBody}`;
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

function headerIn(line: string): Header {
  const colon = line.indexOf(':');
  if (colon === -1) return { name: '', written: line, value: '' };
  const written = line.slice(0, colon).trim();
  const lower = written.toLowerCase();
  return { name: SHORT_HEADER_NAMES.get(lower) ?? lower, written, value: line.slice(colon + 1).trim() };
}

function hideHeader({ name, written, value }: Header, token: UserToken, isDomain: IsShownHost): HiddenHeader {
  const hidden = hideSipHeader(name, value, token, isDomain);
  if (hidden !== undefined) return { name, value, label: written, hidden };
  // The name of an unknown header may be anything.
  return { name, value, label: markOf(written, token), hidden: value === '' ? '' : markOf(value, token) };
}

function hideFirstLine(line: string, token: UserToken, isDomain: IsShownHost): string {
  const request = REQUEST_LINE.exec(line);
  if (request) {
    const [, method = '', uri = ''] = request;
    return `${SIP_METHODS.has(method) ? method : markOf(method, token)} ${hideSipAddress(uri, token, isDomain)} SIP/2.0`;
  }
  const status = STATUS_LINE.exec(line);
  if (!status) return markOf(line, token);
  const [, code = '', phrase = ''] = status;
  return `SIP/2.0 ${code} ${hideText(phrase, { known: SIP_WORDS, numbers: 'none' }, token)}`;
}

function hideBody(body: string, type: string, token: UserToken): string {
  if (body.trim() === '') return body === '' ? '' : '\r\n';
  if (type.startsWith('application/sdp') || type.startsWith('multipart/')) return hideDescription(body, token);
  if (type.startsWith('message/sipfrag')) return hideSipMessage(body, token);
  return markOf(body, token);
}

/** Numbers in descriptions of media are short; longer ones could be those of telephones. */
function hideDescription(body: string, token: UserToken): string {
  return hideInSdp(body, token)
    .split('\n')
    .map((line) => {
      if (MACHINE_LINES.test(line)) return line;
      const shown = MACHINE_SOURCE.exec(line)?.[0] ?? '';
      return shown + line.slice(shown.length).replaceAll(LONG_NUMBER, (number) => token(number));
    })
    .join('\n');
}
