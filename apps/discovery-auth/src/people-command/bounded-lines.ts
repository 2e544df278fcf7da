/** One line of a file; `problem` is why it cannot be read. */
export interface BoundedLine {
  readonly number: number;
  readonly text: string;
  readonly problem?: string;
}

const NEWLINE = 0x0a;
/** A person with 500 contacts has less. */
export const MAX_LINE_BYTES = 65_536;
/** Most characters of UTF-16 have one, and without a byte order mark they are valid UTF-8 otherwise. */
const NUL_BYTES = 'contains NUL bytes; a file in UTF-16 must be converted to UTF-8';

/** The lines of a file, however long they are: of a line that is too long, nothing is kept. Empty lines are left out. */
export async function* boundedLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<BoundedLine> {
  let number = 1;
  let parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      bytes += end - start;
      if (bytes <= MAX_LINE_BYTES) parts.push(chunk.subarray(start, end));
      const line = decodeBoundedLine(number++, parts, bytes);
      if (line !== undefined) yield line;
      [parts, bytes, start] = [[], 0, end + 1];
    }
    bytes += chunk.length - start;
    if (bytes <= MAX_LINE_BYTES) parts.push(chunk.subarray(start));
    else parts = [];
  }
  const last = decodeBoundedLine(number, parts, bytes);
  if (last !== undefined) yield last;
}

function decodeBoundedLine(number: number, parts: readonly Uint8Array[], bytes: number): BoundedLine | undefined {
  if (bytes > MAX_LINE_BYTES) return { number, text: '', problem: `longer than ${MAX_LINE_BYTES} bytes` };
  try {
    // The decoder drops the byte order mark at the start of a file.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)).replace(/\r$/, '');
    if (text.includes('\0')) return { number, text: '', problem: NUL_BYTES };
    return text.trim() === '' ? undefined : { number, text };
  } catch {
    return { number, text: '', problem: 'not UTF-8' };
  }
}
