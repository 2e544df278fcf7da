const VERSION = 'SIP/2.0';
const LINE_END = 0x0a;
const START_LINE_LIMIT = 1_100;
/** A header follows, so this is not a status line in the body of a NOTIFY (RFC 3420). */
const HEADER_LINE = /^[^\n]{0,1100}\n[A-Za-z][A-Za-z0-9-]{0,40}[ \t]*:/;
const BEGINNING = 1_200;

/** Where the next message begins: at a line that is the first of one. -1 if none does. Linear. */
export function nextStart(bytes: Buffer, isStart: (bytes: Buffer) => boolean): number {
  let [lineStart, from] = [0, 0];
  for (let at = bytes.indexOf(VERSION); at !== -1; at = bytes.indexOf(VERSION, from)) {
    const lineEnd = bytes.subarray(from, at).lastIndexOf(LINE_END);
    if (lineEnd !== -1) lineStart = from + lineEnd + 1;
    from = at + VERSION.length;
    if (at - lineStart > START_LINE_LIMIT) continue;
    const line = bytes.subarray(lineStart, lineStart + BEGINNING);
    if (isStart(line) && HEADER_LINE.test(line.toString('latin1'))) return lineStart;
  }
  return -1;
}
