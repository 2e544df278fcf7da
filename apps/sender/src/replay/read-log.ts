import { epochMillis } from '@ringdown/xml-schemas/fields';
import { SourceError, type CaptureEntry, type ReadProgress, type Timed } from '@ringdown/call-capture/files';

/** One line of a text log of the sender, or one packet of a capture. An unreadable line was truncated when the disk was full. */
export type LogEntry =
  | CaptureEntry
  | (Timed & { readonly kind: 'hep'; readonly bytes: Buffer })
  | (Timed & { readonly kind: 'record'; readonly frontEnd: string; readonly xml: string });

/** Ten times the longest packet in base64, and ten times the longest record. */
const LONGEST_LINE = 4 * 1_024 * 1_024;
const LINE_END = 0x0a;
/** How many lines are searched for a time. */
const LINES_TO_SEEK = 1_000;

/** The entries of an input or output log, one after another. */
export async function* readLog(bytes: AsyncIterable<Buffer>, progress: ReadProgress): AsyncGenerator<LogEntry> {
  let number = 0;
  try {
    for await (const line of splitLogLines(bytes)) {
      number++;
      progress.bytes += line.length + 1;
      const text = line.toString('utf8').trimEnd();
      if (text !== '') yield readLine(text, `line ${number}`);
    }
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    yield { kind: 'unreadable', place: `after line ${number}`, reason: error.message };
  }
}

/** Time of the first line that has one, milliseconds since 1970. */
export async function firstLogTime(bytes: AsyncIterable<Buffer>): Promise<number | undefined> {
  let left = LINES_TO_SEEK;
  for await (const entry of readLog(bytes, { bytes: 0 })) {
    if ('at' in entry) return entry.at;
    if (--left === 0) break;
  }
  return undefined;
}

async function* splitLogLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of bytes) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (let end = rest.indexOf(LINE_END); end !== -1; end = rest.indexOf(LINE_END)) {
      yield rest.subarray(0, end);
      rest = rest.subarray(end + 1);
    }
    if (rest.length > LONGEST_LINE) throw new SourceError(`the next line is longer than ${LONGEST_LINE} bytes`);
  }
  if (rest.length > 0) yield rest;
}

function readLine(line: string, place: string): LogEntry {
  const unreadable = (reason: string): LogEntry => ({ kind: 'unreadable', place, reason });
  const [time, kind, first = '', , xml = ''] = line.split('\t');
  const at = epochMillis(time);
  if (at === undefined || kind === undefined) return unreadable('not a line of a sender text log');
  if (kind === 'hep' && first !== '') return { kind, at, place, bytes: Buffer.from(first, 'base64') };
  if (kind === 'record' && xml !== '') return { kind, at, place, frontEnd: first, xml };
  return unreadable('the line contains neither a packet nor a record');
}
