import { epochMillis } from '@ringdown/xml-schemas';
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { CapturedPacket } from '../hep/captured-packet.js';

/** One line of a text log of the sender, or one packet of a capture. */
export type LogEntry =
  | { readonly kind: 'packet'; readonly at: number; readonly packet: CapturedPacket }
  | { readonly kind: 'hep'; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'record'; readonly at: number; readonly frontEnd: string; readonly xml: string }
  /** The line is none of ours, or was cut off when the disk was full. */
  | { readonly kind: 'unreadable' };

/** Where somebody who reads a file is. */
export interface Reading {
  /** How many were read. */
  bytes: number;
}

/** The lines of a log of input or of output, one after another. Rejects when the file cannot be read. */
export async function* readLog(file: string, reading: Reading): AsyncGenerator<LogEntry> {
  const input = createReadStream(file, 'utf8');
  // A file that is not there is told by the stream alone.
  const failed = new Promise<never>((_resolve, reject) => input.once('error', reject));
  failed.catch(() => undefined);
  const lines = createInterface({ input, crlfDelay: Infinity })[Symbol.asyncIterator]();
  for (;;) {
    const { value, done } = await Promise.race([lines.next(), failed]);
    if (done === true) break;
    reading.bytes += Buffer.byteLength(value) + 1;
    if (value !== '') yield readLine(value);
  }
  if (input.errored) throw input.errored;
}

function readLine(line: string): LogEntry {
  const [time, kind, first = '', , xml = ''] = line.split('\t');
  const at = epochMillis(time);
  if (at === undefined) return { kind: 'unreadable' };
  if (kind === 'hep' && first !== '') return { kind, at, bytes: Buffer.from(first, 'base64') };
  return kind === 'record' && xml !== '' ? { kind, at, frontEnd: first, xml } : { kind: 'unreadable' };
}
