import { type CapturedPacket, CaptureError, CaptureReader, type Frame, PacketsInFrames } from '@ringdown/capture';
import type { CaptureEntry, ReadProgress } from './capture-entry.js';
import { SourceError } from './source-file.js';

/** Time of the first packet, milliseconds since 1970; undefined if no packet can be read. */
export async function firstCaptureTime(bytes: AsyncIterable<Buffer>): Promise<number | undefined> {
  try {
    for await (const { at } of framesOf(bytes)) return at;
  } catch (error) {
    if (!isFileError(error)) throw error;
  }
  return undefined;
}

/**
 * SIP, RTCP and RTP of a capture, one after another, then what was not read. If the file is invalid or truncated, an unreadable
 * entry says so. Packets are counted from 1, as in other capture tools.
 */
export async function* readCapture(bytes: AsyncIterable<Buffer>, progress: ReadProgress): AsyncGenerator<CaptureEntry> {
  const packets = new PacketsInFrames();
  let [seen, emitted, at] = [0, 0, 0];
  const entryOf = (packet: CapturedPacket): CaptureEntry => {
    // RTP alone makes no record.
    if (packet.content !== 'rtp') emitted++;
    return { kind: 'packet', at, place: `packet ${seen}`, packet };
  };
  try {
    for await (const frame of framesOf(bytes)) {
      progress.bytes += frame.bytes.length;
      seen++;
      if (progress.packets !== undefined) progress.packets++;
      at = frame.at;
      for (const packet of packets.add(frame)) yield entryOf(packet);
    }
  } catch (error) {
    if (!isFileError(error)) throw error;
    emitted++;
    yield { kind: 'unreadable', place: `after packet ${seen}`, reason: error.message };
  }
  for (const packet of packets.end()) yield entryOf(packet);
  for (const { count, text } of packets.notRead) yield { kind: 'not-read', count, text };
  if (seen === 0 && emitted === 0) yield { kind: 'nothing', reason: 'the capture contains no packets' };
  else if (emitted === 0) {
    const none = seen === 1 ? 'its only packet does not contain' : `none of its ${seen} packets contains`;
    yield { kind: 'nothing', reason: `${none} readable SIP, RTCP or HEP` };
  }
}

async function* framesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  const reader = new CaptureReader();
  for await (const chunk of bytes) yield* reader.push(chunk);
  reader.end();
}

function isFileError(error: unknown): error is Error {
  return error instanceof CaptureError || error instanceof SourceError;
}
