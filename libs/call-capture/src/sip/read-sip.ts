import { fitText } from '@ringdown/xml-schemas';
import { TEXT_LIMITS } from '@ringdown/xml-schemas/fields';
import { readDamagedAddress, readNameAddress } from './name-address.js';
import { SipHeaders } from './sip-headers.js';
import type { NameAddress, SipMessage } from './sip-message.js';
import { SipSyntaxError } from './sip-syntax-error.js';
import { branchIn } from './vias.js';

const HEAD_LIMIT = 32_768;
const [CR, LF] = [13, 10];
const EMPTY_LINE = Buffer.from('\r\n\r\n');

/**
 * Reads one SIP message. Only what identifies a call must be valid; everything else may be missing, odd or
 * truncated. Throws {@link SipSyntaxError}.
 */
export function readSip(bytes: Buffer): SipMessage {
  const { head, bodyAt } = readHead(bytes);
  const lineEnd = head.indexOf('\n');
  const start = readStartLine((lineEnd === -1 ? head : head.slice(0, lineEnd)).trimEnd());
  const headers = new SipHeaders(head, lineEnd === -1 ? head.length : lineEnd + 1);
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
    ...(start.target === undefined ? {} : { target: start.target }),
    callId,
    cseq: Number(cseq[1]),
    from: party(headers, 'from'),
    to: party(headers, 'to'),
    branch: branchOf(required(headers, 'via')),
    headers,
    body: wholeBody(bytes, bodyAt, headers.first('content-length')),
  };
}

/** The start line and the headers, unfolded: a line that begins with a blank continues the previous line. */
function readHead(bytes: Buffer): { head: string; bodyAt: number } {
  // Blank lines before a message are allowed (RFC 3261, 7.5).
  let from = 0;
  while (bytes[from] === CR || bytes[from] === LF) from++;
  const { head, bodyAt } = splitText(bytes, from) ?? splitBytes(bytes, from);
  const isFolded = head.includes('\n ') || head.includes('\n\t');
  return { head: isFolded ? head.replaceAll(/\r?\n[ \t]+/g, ' ') : head, bodyAt };
}

interface Split {
  readonly head: string;
  readonly bodyAt: number;
}

/** Searching a text is faster than searching bytes. Undefined if its positions are not those of the bytes. */
function splitText(bytes: Buffer, from: number): Split | undefined {
  const text = bytes.toString('utf8', from);
  if (text.length !== bytes.length - from) return undefined;
  const end = text.indexOf('\r\n\r\n');
  const bare = end === -1 ? text.indexOf('\n\n') : -1;
  if (end === -1 && bare === -1) return { head: bounded(text), bodyAt: bytes.length };
  return end === -1
    ? { head: bounded(text.slice(0, bare)), bodyAt: from + bare + 2 }
    : { head: bounded(text.slice(0, end)), bodyAt: from + end + 4 };
}

function splitBytes(bytes: Buffer, from: number): Split {
  const end = bytes.indexOf(EMPTY_LINE, from);
  const bare = end === -1 ? bytes.indexOf('\n\n', from) : -1;
  const headEnd = end === -1 ? (bare === -1 ? bytes.length : bare) : end;
  return { head: bounded(bytes.toString('utf8', from, headEnd)), bodyAt: end === -1 ? headEnd + 2 : headEnd + 4 };
}

function bounded(head: string): string {
  if (head.length > HEAD_LIMIT) throw new SipSyntaxError(`the headers are longer than ${HEAD_LIMIT} characters`);
  return head;
}

interface StartLine {
  readonly method?: string;
  readonly target?: string | undefined;
  readonly response?: { readonly status: number; readonly phrase: string };
}

function readStartLine(line: string): StartLine {
  if (line.startsWith('SIP/')) {
    const response = /^SIP\/2\.0 ([1-6]\d{2})(?: (.*))?$/.exec(line);
    if (response)
      return { response: { status: Number(response[1]), phrase: fitText((response[2] ?? '').trim(), 'text') ?? '' } };
  }
  const request = /^([A-Z]{1,32}) (\S+) SIP\/2\.0$/.exec(line);
  if (!request?.[1]) throw new SipSyntaxError('the first line is not SIP/2.0');
  return { method: request[1], target: fitText(request[2] ?? '', 'address') };
}

function required(headers: SipHeaders, name: string): string {
  const value = headers.first(name);
  if (value === undefined || value === '') throw new SipSyntaxError(`the header ${name} is missing`);
  return value;
}

/** Of the first of the values in one header. */
function branchOf(via: string): string {
  const comma = via.indexOf(',');
  return branchIn(comma === -1 ? via : via.slice(0, comma));
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
function wholeBody(bytes: Buffer, from: number, contentLength: string | undefined): string {
  if (from >= bytes.length || contentLength === '0') return '';
  if (contentLength === undefined || !/^\d{1,9}$/.test(contentLength)) return bytes.toString('utf8', from);
  const end = from + Number(contentLength);
  return end > bytes.length ? '' : bytes.toString('utf8', from, end);
}
