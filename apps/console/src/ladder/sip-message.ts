import { texts } from '../texts/ladder.js';

/** A message of SIP, as far as the console displays it. Nothing is decoded: the capture may be of any sender. */
export interface SipMessage {
  readonly startLine: string;
  readonly method: string;
  /** Undefined for requests. */
  readonly code: number | undefined;
  /** In their order, with folded lines joined. */
  readonly headers: readonly SipHeader[];
  readonly body: string;
  /** Whether the body is a session description. */
  readonly hasDescription: boolean;
}

export interface SipHeader {
  readonly name: string;
  readonly value: string;
}

/** The collector accepts no longer messages (docs/guides/tracing.md). */
const LONGEST = 65_000;
const SHORT_NAMES: Readonly<Record<string, string>> = { c: 'content-type' };

export function readSipMessage(whole: string): SipMessage {
  const text = whole.slice(0, LONGEST).replaceAll('\r\n', '\n');
  const end = text.indexOf('\n\n');
  const [startLine = '', ...lines] = (end === -1 ? text : text.slice(0, end)).split('\n');
  const body = end === -1 ? '' : text.slice(end + 2);
  const headers = parseSipHeaders(lines);
  const words = startLine.split(' ', 2);
  const isResponse = startLine.startsWith('SIP/');
  const [, cseqMethod = ''] = sipHeaderValue(headers, 'cseq').split(' ', 2);
  return {
    startLine,
    method: isResponse ? cseqMethod : (words[0] ?? ''),
    code: isResponse ? parseStatusCode(words[1]) : undefined,
    headers,
    body,
    hasDescription: sipHeaderValue(headers, 'content-type').toLowerCase().startsWith('application/sdp'),
  };
}

/** What an arrow of the ladder says: `INVITE`, `503 Service Unavailable`. */
export function sipMessageLabel({ startLine, method, code }: SipMessage): string {
  if (code === undefined) return method === '' ? texts.emptyMessage : method;
  const rest = startLine.slice(startLine.indexOf(' ') + 1);
  return rest.trim();
}

function parseSipHeaders(lines: readonly string[]): readonly SipHeader[] {
  const unfolded: string[][] = [];
  for (const line of lines) {
    const isFolded = line.startsWith(' ') || line.startsWith('\t');
    if (isFolded) unfolded.at(-1)?.push(line.trim());
    else unfolded.push([line]);
  }
  return unfolded.flatMap((pieces) => {
    const line = pieces.join(' ');
    const colon = line.indexOf(':');
    return colon < 1 ? [] : [{ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }];
  });
}

function sipHeaderValue(headers: readonly SipHeader[], wanted: string): string {
  const found = headers.find(({ name }) => {
    const lower = name.toLowerCase();
    return lower === wanted || (Object.hasOwn(SHORT_NAMES, lower) && SHORT_NAMES[lower] === wanted);
  });
  return found?.value ?? '';
}

function parseStatusCode(word: string | undefined): number {
  const code = Number(word);
  return Number.isInteger(code) ? code : 0;
}
