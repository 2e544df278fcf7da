import { hideInSdp } from './hide-sdp.js';
import { hideSipHeader, SHORT_HEADER_NAMES } from './hide-sip-header.js';
import { hideText } from './hide-text.js';
import { markOf } from './hide-unknown-words.js';
import { hideSipAddress, SIP_METHODS, SIP_WORDS } from './hide-sip-address.js';
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
 * not to be about people is shown, and a mark replaces the rest. Takes time linear in the message.
 */
export function hideSipMessage(text: string, token: UserToken): string {
  const { head, body } = splitAtBody(text.replace(/^[\r\n]+/, ''));
  const [first = '', ...lines] = unfolded(head);
  const headers = lines.filter((line) => line !== '').map((line) => readHeader(line, token));
  const type = headers.find(({ name }) => name === 'content-type')?.value.toLowerCase() ?? '';
  const hiddenBody = hideBody(body, type, token);
  const length = String(Buffer.byteLength(hiddenBody));
  const shown = headers.map(({ name, hidden, label }) => `${label}: ${name === 'content-length' ? length : hidden}`);
  return `${[hideFirstLine(first, token), ...shown].join('\r\n')}\r\n\r\n${hiddenBody}`;
}

interface Header {
  /** In lower case and in its long form. */
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

function readHeader(line: string, token: UserToken): Header {
  const colon = line.indexOf(':');
  if (colon === -1) return { name: '', value: '', label: markOf(line, token), hidden: '' };
  const written = line.slice(0, colon).trim();
  const lower = written.toLowerCase();
  const name = SHORT_HEADER_NAMES.get(lower) ?? lower;
  const value = line.slice(colon + 1).trim();
  const hidden = hideSipHeader(name, value, token);
  // The name of an unknown header may be anything.
  if (hidden === undefined) return { name, value, label: markOf(written, token), hidden: markOf(value, token) };
  return { name, value, label: written, hidden };
}

function hideFirstLine(line: string, token: UserToken): string {
  const request = REQUEST_LINE.exec(line);
  if (request) {
    const [, method = '', uri = ''] = request;
    return `${SIP_METHODS.has(method) ? method : markOf(method, token)} ${hideSipAddress(uri, token)} SIP/2.0`;
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
