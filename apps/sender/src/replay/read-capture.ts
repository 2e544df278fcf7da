import { canReadLink, CaptureError, CaptureReader, type Frame, nameOfLink, PacketsInFrames } from '@ringdown/capture';
import type { LogEntry, ReadProgress } from './read-log.js';
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
 * SIP and RTCP of a capture, one after another. If the file is invalid or truncated, the last entry is an unreadable one.
 * Packets are counted from 1, as in other capture tools.
 */
export async function* readCapture(bytes: AsyncIterable<Buffer>, progress: ReadProgress): AsyncGenerator<LogEntry> {
  const packets = new PacketsInFrames();
  let [seen, emitted] = [0, 0];
  try {
    for await (const frame of framesOf(bytes)) {
      progress.bytes += frame.bytes.length;
      const place = `packet ${++seen}`;
      if (!canReadLink(frame.linkType)) {
        emitted++;
        yield { kind: 'unreadable', place, reason: unsupportedLink(frame.linkType) };
        continue;
      }
      for (const packet of packets.add(frame)) {
        emitted++;
        yield { kind: 'packet', at: frame.at, place, packet };
      }
    }
    if (seen === 0) yield { kind: 'nothing', reason: 'the capture contains no packets' };
    else if (emitted === 0) yield { kind: 'nothing', reason: `none of its ${seen} packets contains SIP, RTCP or HEP` };
  } catch (error) {
    if (!isFileError(error)) throw error;
    yield { kind: 'unreadable', place: `after packet ${seen}`, reason: error.message };
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

function unsupportedLink(linkType: number): string {
  return (
    `unsupported link type ${linkType}${nameOfLink(linkType)}; supported: ` +
    'Ethernet, Linux cooked (tcpdump -i any), raw IP, BSD loopback'
  );
}
