import { fitText, TEXT_LIMITS } from '@ringdown/xml-schemas';
import { readDamagedAddress, readNameAddress } from './name-address.js';
import { header, SipSyntaxError, type NameAddress, type SipHeaders, type SipMessage } from './sip-message.js';

const HEADERS_LIMIT = 256;
const LINES_LIMIT = 512;
const HEAD_LIMIT = 32_768;

/** RFC 3261, 7.3.3 and later RFCs. */
const LONG_NAMES: ReadonlyMap<string, string> = new Map([
  ['c', 'content-type'],
  ['e', 'content-encoding'],
  ['f', 'from'],
  ['i', 'call-id'],
  ['k', 'supported'],
  ['l', 'content-length'],
  ['m', 'contact'],
  ['s', 'subject'],
  ['t', 'to'],
  ['v', 'via'],
]);
const USUAL =
  'Via From To Call-ID CSeq Contact Content-Type Content-Length Max-Forwards Record-Route Route User-Agent Server ' +
  'Allow Supported Require Expires Date Session-Expires Min-SE Reason P-Asserted-Identity Allow-Events Accept Event';
/** Names in their usual spelling, which saves the conversion to lower case. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ...USUAL.split(' ').map((name) => [name, name.toLowerCase()] as const),
  ...LONG_NAMES,
]);
const EMPTY_LINE = Buffer.from('\r\n\r\n');

/** Endpoints and proxies keep NAT bindings open with blank lines and the like. */
export function isKeepAlive(bytes: Buffer): boolean {
  return bytes.length <= 4 && /^[\s\0]*$/.test(bytes.toString('latin1'));
}

/**
 * Reads one SIP message. Only what identifies a call must be valid; everything else may be missing, odd or
 * truncated. Throws {@link SipSyntaxError}.
 */
export function readSip(bytes: Buffer): SipMessage {
  const { head, body } = headAndBody(bytes);
  const lines = unfolded(head);
  const start = readStartLine(lines[0] ?? '');
  const headers = readHeaders(lines.slice(1));
  const cseq = /^(\d{1,10})\s+([A-Z]{1,32})$/.exec(required(headers, 'cseq'));
  if (!cseq?.[1] || !cseq[2]) throw new SipSyntaxError('CSeq is not a number and a method');
  const method = cseq[2];
  if (start.method !== undefined && start.method !== method)
    throw new SipSyntaxError('CSeq names another method than the request');
  const callId = required(headers, 'call-id');
  if (callId.length > TEXT_LIMITS.identifier.characters)
    throw new SipSyntaxError(`the Call-ID is too long: ${callId.length} characters`);
  return {
    method,
    ...(start.response ? { response: start.response } : {}),
    callId,
    cseq: Number(cseq[1]),
    from: party(headers, 'from'),
    to: party(headers, 'to'),
    branch: branchOf(required(headers, 'via')),
    headers,
    body: wholeBody(body, header(headers, 'content-length')),
  };
}

function headAndBody(bytes: Buffer): { head: string; body: Buffer } {
  // Blank lines before a message are allowed (RFC 3261, 7.5).
  let from = 0;
  while (bytes[from] === 13 || bytes[from] === 10) from++;
  const end = bytes.indexOf(EMPTY_LINE, from);
  const bare = end === -1 ? bytes.indexOf('\n\n', from) : -1;
  const headEnd = end === -1 ? (bare === -1 ? bytes.length : bare) : end;
  if (headEnd - from > HEAD_LIMIT) throw new SipSyntaxError(`the headers are longer than ${HEAD_LIMIT} bytes`);
  return {
    head: bytes.toString('utf8', from, headEnd),
    body: bytes.subarray(end === -1 ? headEnd + 2 : headEnd + 4),
  };
}

/** A line that begins with a blank continues the previous line. Lines may keep the carriage return at their end. */
function unfolded(head: string): string[] {
  const isFolded = head.includes('\n ') || head.includes('\n\t');
  const text = isFolded ? head.replaceAll(/\r?\n[ \t]+/g, ' ') : head;
  const lines = text.split('\n', LINES_LIMIT + 1);
  if (lines.length > LINES_LIMIT) throw new SipSyntaxError('too many lines');
  return lines;
}

interface StartLine {
  readonly method?: string;
  readonly response?: { readonly status: number; readonly phrase: string };
}

function readStartLine(line: string): StartLine {
  const response = /^SIP\/2\.0 ([1-6]\d{2})(?: (.*))?\r?$/.exec(line);
  if (response)
    return { response: { status: Number(response[1]), phrase: fitText((response[2] ?? '').trim(), 'text') ?? '' } };
  const request = /^([A-Z]{1,32}) \S+ SIP\/2\.0\r?$/.exec(line);
  if (!request?.[1]) throw new SipSyntaxError('the first line is not SIP/2.0');
  return { method: request[1] };
}

function readHeaders(lines: readonly string[]): SipHeaders {
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) continue;
    const name = longName(line.slice(0, colon));
    const value = line.slice(colon + 1).trim();
    const others = headers.get(name);
    if (others) others.push(value);
    else headers.set(name, [value]);
    if (headers.size > HEADERS_LIMIT) throw new SipSyntaxError('too many headers');
  }
  return headers;
}

function longName(written: string): string {
  const known = NAMES.get(written);
  if (known !== undefined) return known;
  const name = written.trim().toLowerCase();
  return LONG_NAMES.get(name) ?? name;
}

function required(headers: SipHeaders, name: string): string {
  const value = header(headers, name);
  if (value === undefined || value === '') throw new SipSyntaxError(`the header ${name} is missing`);
  return value;
}

/** One header may contain several values. Hops add parameters to a Via, but its branch stays. */
function branchOf(via: string): string {
  const comma = via.indexOf(',');
  const top = comma === -1 ? via : via.slice(0, comma);
  return /;\s*branch\s*=\s*([^\s;]+)/i.exec(top)?.[1] ?? top.split(';', 1)[0]?.trim() ?? '';
}

function party(headers: SipHeaders, name: string): NameAddress {
  const text = required(headers, name);
  const written = readNameAddress(text);
  const address = written && /^[a-z][\w+.-]*:/i.test(written.uri) ? written : readDamagedAddress(text);
  const { uri, tag = '' } = address;
  if (uri.length > TEXT_LIMITS.address.characters)
    throw new SipSyntaxError(`${name} is too long: ${uri.length} characters`);
  // Not truncated: a part of a tag would be the tag of another device.
  if (tag.length > TEXT_LIMITS.identifier.characters)
    throw new SipSyntaxError(`the tag is too long: ${tag.length} characters`);
  return address;
}

/** A truncated body is ignored: half a session description would describe half the streams. */
function wholeBody(body: Buffer, contentLength: string | undefined): string {
  if (contentLength === undefined || !/^\d{1,9}$/.test(contentLength)) return body.toString('utf8');
  const length = Number(contentLength);
  return length > body.length ? '' : body.toString('utf8', 0, length);
}
