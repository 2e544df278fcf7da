import { hiddenMark } from './hide-unknown-words.js';
import { isMark } from './shapes.js';
import type { UserToken } from './user-token.js';

/** A boundary is followed by the end of its line, by another parameter, or by nothing. RFC 2046, 5.1.1: at most 70 characters. */
const BOUNDARY = /;\s{0,8}boundary\s{0,8}=\s{0,8}(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))(?=[\s;]|$)/i;
/** More than messages of SIP have. */
const MAX_PARTS = 32;

/** The boundary in a value of Content-Type, and its place there. */
export interface BoundaryParameter {
  readonly boundary: string;
  readonly start: number;
  readonly end: number;
}

/** Undefined if there is none, or one that RFC 2046 does not allow. */
export function boundaryIn(contentType: string): BoundaryParameter | undefined {
  const found = BOUNDARY.exec(contentType);
  const boundary = (found?.[1] ?? found?.[2] ?? '').trimEnd();
  if (found === null || boundary === '') return undefined;
  return { boundary, start: found.index, end: found.index + found[0].length };
}

/** A boundary may contain anything. The same mark in the header and in the body, so that the body can still be split. */
export function hiddenBoundary(boundary: string, token: UserToken): string {
  return isMark(boundary) ? boundary : hiddenMark(boundary, token);
}

/** A multipart body (RFC 2046, 5.1). */
export interface Multipart {
  /** The text before the first boundary and after the last one: no part of the message. */
  readonly preamble: string;
  readonly epilogue: string;
  /** Each with its headers, and without the line breaks that belong to the boundaries. */
  readonly parts: readonly string[];
}

/**
 * Splits a body at the lines that contain its boundary. Undefined if it has no parts, or too many. The last boundary may be
 * missing, because long texts are cut. Takes time linear in the body.
 */
export function splitMultipart(body: string, boundary: string): Multipart | undefined {
  const delimiter = `--${boundary}`;
  const last = `${delimiter}--`;
  const sections: string[] = [];
  let lines: string[] = [];
  let isClosed = false;
  for (const line of body.split(/(?<=\n)|(?<=\r)(?!\n)/)) {
    const found: string = isClosed ? '' : line.trimEnd();
    if (found !== delimiter && found !== last) {
      lines.push(line);
      continue;
    }
    sections.push(lines.join(''));
    lines = [];
    isClosed = found === last;
  }
  const rest = lines.join('');
  const [preamble = '', ...parts] = isClosed ? sections : [...sections, rest];
  if (parts.length === 0 || parts.length > MAX_PARTS) return undefined;
  return { preamble, parts: parts.map(withoutLastBreak), epilogue: isClosed ? rest : '' };
}

function withoutLastBreak(part: string): string {
  return part.replace(/(?:\r\n|\n|\r)$/, '');
}
