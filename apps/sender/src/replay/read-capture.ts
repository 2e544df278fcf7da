import { CaptureError } from '../pcap/capture-error.js';
import { CaptureReader } from '../pcap/capture-reader.js';
import { canReadLink, nameOfLink } from '../pcap/link-layer.js';
import type { Frame } from '../pcap/frame.js';
import { PacketsInFrames } from '../pcap/packets-in-frames.js';
import type { LogEntry, Reading } from './read-log.js';
import { SourceError } from './source-file.js';

/** Time of the first packet, milliseconds since 1970; undefined where there is none that can be read. */
export async function captureBegins(bytes: AsyncIterable<Buffer>): Promise<number | undefined> {
  try {
    for await (const { at } of framesOf(bytes)) return at;
  } catch (error) {
    if (!isOfFile(error)) throw error;
  }
  return undefined;
}

/**
 * SIP and RTCP of a capture, one after another. Where the file lies or is cut off, an unreadable entry is the last.
 * Packets are counted from 1, as other readers of captures do.
 */
export async function* readCapture(bytes: AsyncIterable<Buffer>, reading: Reading): AsyncGenerator<LogEntry> {
  const packets = new PacketsInFrames();
  let [seen, told] = [0, 0];
  try {
    for await (const frame of framesOf(bytes)) {
      reading.bytes += frame.bytes.length;
      const place = `packet ${++seen}`;
      if (!canReadLink(frame.linkType)) {
        told++;
        yield { kind: 'unreadable', place, reason: foreignLink(frame.linkType) };
        continue;
      }
      for (const packet of packets.add(frame)) {
        told++;
        yield { kind: 'packet', at: frame.at, place, packet };
      }
    }
    if (seen === 0) yield { kind: 'nothing', reason: 'the capture contains no packets' };
    else if (told === 0) yield { kind: 'nothing', reason: `none of its ${seen} packets contains SIP, RTCP or HEP` };
  } catch (error) {
    if (!isOfFile(error)) throw error;
    yield { kind: 'unreadable', place: `after packet ${seen}`, reason: error.message };
  }
}

async function* framesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  const reader = new CaptureReader();
  for await (const chunk of bytes) yield* reader.push(chunk);
  reader.end();
}

function isOfFile(error: unknown): error is Error {
  return error instanceof CaptureError || error instanceof SourceError;
}

function foreignLink(linkType: number): string {
  return (
    `unsupported link type ${linkType}${nameOfLink(linkType)}; supported: ` +
    'Ethernet, Linux cooked (tcpdump -i any), raw IP, BSD loopback'
  );
}
