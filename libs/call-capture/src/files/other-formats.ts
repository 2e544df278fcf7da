import { isUtf8 } from 'node:buffer';

/** Where a mark begins, in bytes, its hexadecimal digits, and what a file with it is. */
type Mark = readonly [at: number, mark: string, what: string];

/** Formats that are sent by mistake; those at the end may begin like others. */
const MARKS: readonly Mark[] = [
  [0, '25504446', 'a PDF document'],
  [0, '89504e47', 'a picture (PNG)'],
  [0, 'ffd8ff', 'a picture (JPEG)'],
  [0, '7f454c46', 'a program (ELF)'],
  [0, '1f8b', 'compressed twice with gzip; unpack it first: gzip -d'],
  [0, '377abcaf271c', 'a 7z archive; unpack it first: 7z x'],
  [0, '736e6f6f70', 'a capture of snoop; convert it first: editcap -F pcap'],
  [257, '7573746172', 'a tar archive; unpack it first: tar -xf'],
  [0, '3c3f786d6c', 'an XML document'],
  [0, '3c21', 'an HTML document'],
  [0, '3c68746d6c', 'an HTML document'],
];
const LONGEST_CHARACTER = 4;
/** A line of a sender text log begins with a time and a kind. */
const LOG_LINE = /^\d{4}-\d\d-\d\dT[\d:.]{8,30}Z?\t(?:hep|record)\t/m;

/** Whether text contains a line of a sender text log. */
export function isLog(beginning: Buffer): boolean {
  return !beginning.includes(0) && LOG_LINE.test(beginning.toString('latin1'));
}

/** What a file is that is neither a capture nor a log, for a message: "a PDF document". */
export function describeFormat(beginning: Buffer): string {
  const known = MARKS.find(([at, mark]) => beginning.toString('hex', at, at + mark.length / 2) === mark);
  if (known) return known[2];
  return isText(beginning) ? 'plain text' : 'of an unknown format';
}

/** No control characters but spaces; in a long file, the last character may be cut off. */
function isText(bytes: Buffer): boolean {
  const mayBeCut = bytes.length > LONGEST_CHARACTER ? LONGEST_CHARACTER : 1;
  const isWhole = Array.from({ length: mayBeCut }).some((_, cut) => isUtf8(bytes.subarray(0, bytes.length - cut)));
  return isWhole && bytes.every((byte) => byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d)) && !bytes.includes(0x7f);
}
