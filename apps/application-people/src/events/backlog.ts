import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { receivedEventCount } from './people-event.js';
import { isSameReceipt, type Receipt, type SessionEvent } from './session-event.js';

/** Events that wait, compressed: the same people in many groups need little. They are not superseded any more. */
export interface PackedEvents {
  /** One line of JSON for each event, the oldest first; in base64. */
  readonly zstd: string;
  /** Bytes of the lines. */
  readonly bytes: number;
  /** As the client receives them. */
  readonly events: number;
  /** Of the events that have one. */
  readonly receipts: readonly Receipt[];
}

/** The same as an object that can be changed. */
interface Unpacked {
  lines: string[];
  bytes: number;
  events: number;
  receipts: Receipt[];
}

/** A part that has as much gets no more events: it is compressed as a whole, in some 10 ms. */
const PART_BYTES = 2 * 1024 * 1024;

/** The backlog, and behind it these events. */
export function withPacked(backlog: readonly PackedEvents[], events: readonly SessionEvent[]): readonly PackedEvents[] {
  if (events.length === 0) return backlog;
  const last = backlog.at(-1);
  const isOpen = last !== undefined && last.bytes < PART_BYTES;
  const parts = isOpen ? backlog.slice(0, -1) : [...backlog];
  let part = isOpen ? unpacked(last) : unpacked();
  for (const event of events) {
    if (part.bytes >= PART_BYTES) {
      parts.push(packed(part));
      part = unpacked();
    }
    const line = JSON.stringify(event);
    part.lines.push(line);
    part.bytes += Buffer.byteLength(line);
    part.events += receivedEventCount([event]);
    if (event.receipt !== undefined) part.receipts.push(event.receipt);
  }
  return [...parts, packed(part)];
}

/** The first events of a part, for as long as `isWanted`, and what is left of it. */
export function firstOf(
  whole: PackedEvents,
  isWanted: (event: SessionEvent, bytes: number) => boolean,
): { readonly events: readonly SessionEvent[]; readonly rest: readonly PackedEvents[] } {
  const part = unpacked(whole);
  const events: SessionEvent[] = [];
  for (const line of part.lines) {
    const event = eventIn(line);
    if (!isWanted(event, Buffer.byteLength(line))) break;
    events.push(event);
  }
  return { events, rest: without(part, (_line, place) => place < events.length) };
}

/** The part without the event that has this receipt. */
export function withoutReceipt(part: PackedEvents, receipt: Receipt): readonly PackedEvents[] {
  return without(unpacked(part), (line) => isSameReceipt(eventIn(line).receipt, receipt));
}

function without(part: Unpacked, isOut: (line: string, place: number) => boolean): readonly PackedEvents[] {
  const [out, lines]: [string[], string[]] = [[], []];
  for (const [place, line] of part.lines.entries()) (isOut(line, place) ? out : lines).push(line);
  if (lines.length === 0) return [];
  const gone = out.map(eventIn);
  const bytes = out.reduce((sum, line) => sum + Buffer.byteLength(line), 0);
  const receipts = part.receipts.filter((each) => !gone.some(({ receipt }) => isSameReceipt(receipt, each)));
  return [packed({ lines, bytes: part.bytes - bytes, events: part.events - receivedEventCount(gone), receipts })];
}

function packed({ lines, ...counts }: Unpacked): PackedEvents {
  return { zstd: zstdCompressSync(lines.join('\n')).toString('base64'), ...counts };
}

function unpacked(part?: PackedEvents): Unpacked {
  if (part === undefined) return { lines: [], bytes: 0, events: 0, receipts: [] };
  const { bytes, events, receipts } = part;
  const lines = zstdDecompressSync(Buffer.from(part.zstd, 'base64')).toString().split('\n');
  return { lines, bytes, events, receipts: [...receipts] };
}

function eventIn(line: string): SessionEvent {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `withPacked`
  return JSON.parse(line) as SessionEvent;
}
