import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { CaptureError } from '../pcap/capture-error.js';
import { CaptureReader, isCapture, MARK_LENGTH } from '../pcap/capture-reader.js';
import { PacketsInFrames } from '../pcap/packets-in-frames.js';
import type { LogEntry, Reading } from './read-log.js';

/** Whether a file holds captured packets, as tcpdump and the like write it. Rejects when it cannot be read. */
export async function isCaptureFile(file: string): Promise<boolean> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(MARK_LENGTH), 0, MARK_LENGTH, 0);
    return isCapture(buffer.subarray(0, bytesRead));
  } finally {
    await handle.close();
  }
}

/** SIP and RTCP of such a file, one after another. Where the file lies or is cut off, an unreadable entry is the last. */
export async function* readCapture(file: string, reading: Reading): AsyncGenerator<LogEntry> {
  const [reader, packets] = [new CaptureReader(), new PacketsInFrames()];
  try {
    for await (const bytes of createReadStream(file)) {
      for (const frame of reader.push(Buffer.from(bytes))) {
        reading.bytes += frame.bytes.length;
        for (const packet of packets.add(frame)) yield { kind: 'packet', at: frame.at, packet };
      }
    }
    reader.end();
  } catch (error) {
    if (!(error instanceof CaptureError)) throw error;
    yield { kind: 'unreadable' };
  }
}
