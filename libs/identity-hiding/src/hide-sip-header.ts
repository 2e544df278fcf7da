import { hideCallId } from './hide-call-id.js';
import {
  ANY_HOST,
  hideHost,
  hideParameters,
  hideSipAddress,
  SIP_METHODS,
  SIP_WORDS,
  type IsShownHost,
} from './hide-sip-address.js';
import { hideText } from './hide-text.js';
import { hiddenMark } from './hide-unknown-words.js';
import { PRODUCT_WORDS } from './known-words.js';
import { boundaryIn, hiddenBoundary } from './multipart.js';
import { isHost } from './shapes.js';
import type { UserToken } from './user-token.js';

type HideValue = (value: string, token: UserToken, isShownHost: IsShownHost) => string;

/** RFC 3261, 7.3.3 and later RFCs. */
export const SHORT_HEADER_NAMES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: 'accept-contact',
    b: 'referred-by',
    c: 'content-type',
    e: 'content-encoding',
    f: 'from',
    i: 'call-id',
    j: 'reject-contact',
    k: 'supported',
    l: 'content-length',
    m: 'contact',
    o: 'event',
    r: 'refer-to',
    s: 'subject',
    t: 'to',
    u: 'allow-events',
    v: 'via',
    x: 'session-expires',
  }),
);

/** Of users: their hosts are domains. */
const USERS = `from to reply-to referred-by diversion history-info p-asserted-identity p-preferred-identity p-called-party-id
  remote-party-id`;
/** Of phones and servers, which may have the name of a person. */
const MACHINES = 'contact route record-route path service-route refer-to';
const NUMBERS = 'max-forwards content-length expires min-expires min-se rseq retry-after';
const WORDS = `allow supported require unsupported proxy-require accept accept-encoding accept-language event allow-events
  content-disposition content-encoding subscription-state reason warning privacy priority mime-version
  p-early-media session-expires refer-sub rack`;
const CALL_IDS = 'call-id in-reply-to replaces target-dialog';
const PRODUCTS = 'user-agent server';

/** The headers of which something is shown. */
const RULES: ReadonlyMap<string, HideValue> = new Map<string, HideValue>([
  ...namesIn(USERS).map((name) => [name, hideUsers] as const),
  ...namesIn(MACHINES).map((name) => [name, hideAddresses] as const),
  ...namesIn(NUMBERS).map((name) => [name, hideNumber] as const),
  ...namesIn(WORDS).map((name) => [name, hideWords] as const),
  ...namesIn(CALL_IDS).map((name) => [name, hideCallIdHeader] as const),
  ...namesIn(PRODUCTS).map((name) => [name, hideProduct] as const),
  ['via', hideVia],
  ['cseq', hideCseq],
  ['date', hideDate],
  ['content-type', hideContentType],
  // It may contain the name of a user or of a phone.
  ['content-id', hiddenMark],
  ['content-transfer-encoding', hideTransferEncoding],
]);

/** Undefined for a header that is not known. `name`: in lower case and in its long form. */
export function hideSipHeader(
  name: string,
  value: string,
  token: UserToken,
  isShownHost: IsShownHost,
): string | undefined {
  return RULES.get(name)?.(value, token, isShownHost);
}

function namesIn(text: string): readonly string[] {
  return text.split(/\s+/).filter((name) => name !== '');
}

function hideUsers(value: string, token: UserToken): string {
  return hideAddresses(value, token, ANY_HOST);
}

/** A list of addresses, each with a display name or without. */
function hideAddresses(value: string, token: UserToken, isShownHost: IsShownHost): string {
  if (value === '*') return value;
  return headerItems(value)
    .map((item) => hideNamed(item.trim(), token, isShownHost))
    .join(', ');
}

function hideNamed(item: string, token: UserToken, isShownHost: IsShownHost): string {
  const open = openBracket(item);
  if (open === -1) {
    // Without brackets, parameters belong to the header.
    const semicolon = item.indexOf(';');
    const uri = semicolon === -1 ? item : item.slice(0, semicolon);
    const parameters = semicolon === -1 ? '' : item.slice(semicolon);
    return hideSipAddress(uri.trim(), token, isShownHost) + hideParameters(parameters, token);
  }
  const close = item.indexOf('>', open);
  if (close === -1) return hiddenMark(item, token);
  const display = item.slice(0, open).trim();
  const after = item.slice(close + 1).trim();
  const name = display === '' ? '' : `"${token(display.replace(/^"(.*)"$/s, '$1'))}" `;
  const parameters =
    after === '' || after.startsWith(';') ? hideParameters(after, token) : `;${hiddenMark(after, token)}`;
  return `${name}<${hideSipAddress(item.slice(open + 1, close).trim(), token, isShownHost)}>${parameters}`;
}

/** Of the first `<` that is not in a quoted name. */
function openBracket(item: string): number {
  let isQuoted = false;
  for (let at = 0; at < item.length; at++) {
    const character = item.charAt(at);
    if (character === '\\' && isQuoted) at++;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === '<' && !isQuoted) return at;
  }
  return -1;
}

/** The items of a list: commas in quoted names and in brackets belong to an item. */
function headerItems(value: string): readonly string[] {
  const items: string[] = [];
  let [from, isQuoted, isBracketed] = [0, false, false];
  for (let at = 0; at < value.length; at++) {
    const character = value.charAt(at);
    if (character === '\\' && isQuoted) at++;
    else if (character === '"' && !isBracketed) isQuoted = !isQuoted;
    else if (!isQuoted && (character === '<' || character === '>')) isBracketed = character === '<';
    else if (character === ',' && !isQuoted && !isBracketed) {
      items.push(value.slice(from, at));
      from = at + 1;
    }
  }
  return [...items, value.slice(from)];
}

function hideVia(value: string, token: UserToken, isShownHost: IsShownHost): string {
  return headerItems(value)
    .map((item) => {
      const [, protocol = '', host = '', parameters = ''] =
        /^(SIP\/2\.0\/[A-Za-z-]{2,10})[ \t]+([^\s;]{1,300})[ \t]*(;.*)?$/s.exec(item.trim()) ?? [];
      if (protocol === '' || !isHost(host)) return hiddenMark(item.trim(), token);
      return `${protocol} ${hideHost(host, token, isShownHost)}${hideParameters(parameters, token)}`;
    })
    .join(', ');
}

function hideCseq(value: string, token: UserToken): string {
  const [, number = '', method = ''] = /^(\d{1,10})\s+([A-Z]{1,32})$/.exec(value) ?? [];
  return SIP_METHODS.has(method) ? `${number} ${method}` : hiddenMark(value, token);
}

/** The id is followed by parameters in some headers. */
function hideCallIdHeader(value: string, token: UserToken): string {
  const semicolon = value.indexOf(';');
  if (semicolon === -1) return hideCallId(value, token);
  return hideCallId(value.slice(0, semicolon).trim(), token) + hideParameters(value.slice(semicolon), token);
}

function hideNumber(value: string, token: UserToken): string {
  return /^\d{1,10}$/.test(value) ? value : hideWords(value, token);
}

function hideWords(value: string, token: UserToken): string {
  return hideText(value, { known: SIP_WORDS, numbers: 'short' }, token);
}

function hideProduct(value: string, token: UserToken): string {
  return hideText(value, { known: PRODUCT_WORDS, numbers: 'versions' }, token);
}

function hideDate(value: string, token: UserToken): string {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/.test(value) ? value : hiddenMark(value, token);
}

function hideContentType(value: string, token: UserToken): string {
  const parameter = boundaryIn(value);
  if (parameter === undefined) return hideWords(value, token);
  const { boundary, start, end } = parameter;
  const [before, after] = [value.slice(0, start), value.slice(end)].map((text) => hideWords(text, token));
  return `${before};boundary="${hiddenBoundary(boundary, token)}"${after}`;
}

function hideTransferEncoding(value: string, token: UserToken): string {
  return /^(?:7bit|8bit|binary|base64|quoted-printable)$/i.test(value) ? value : hiddenMark(value, token);
}
