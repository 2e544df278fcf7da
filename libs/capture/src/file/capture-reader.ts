import { CaptureError } from './capture-error.js';
import type { CaptureFormat, Frame } from './frame.js';
import { PcapFormat } from './pcap-format.js';
import { PCAPNG_MARK, PcapngFormat } from './pcapng-format.js';

export const MARK_LENGTH = 4;

/** Whether a file that begins with these bytes is a packet capture. */
export function isCapture(bytes: Buffer): boolean {
  return detectCaptureFormat(bytes) !== undefined;
}

/** Splits a packet capture into frames while it is read. Buffers one incomplete part and the last chunk. */
export class CaptureReader {
  private rest: Buffer = Buffer.alloc(0);
  private format: CaptureFormat | undefined;

  /** The frames that are complete now. Throws {@link CaptureError}: the rest of the file cannot be read then. */
  *push(bytes: Buffer): Generator<Frame> {
    const all = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    this.rest = all;
    if (all.length < MARK_LENGTH) return;
    this.format ??= detectCaptureFormat(all);
    if (!this.format) throw new CaptureError('the file is neither pcap nor pcapng');
    for (;;) {
      const part = this.format.next(this.rest);
      if (!part) return;
      this.rest = this.rest.subarray(part.length);
      if (part.frame) yield part.frame;
    }
  }

  /** Throws {@link CaptureError} if the file is truncated. */
  end(): void {
    if (this.rest.length > 0) throw new CaptureError('the file is truncated');
  }
}

function detectCaptureFormat(bytes: Buffer): CaptureFormat | undefined {
  if (bytes.length < MARK_LENGTH) return undefined;
  const mark = bytes.readUInt32BE(0);
  return mark === PCAPNG_MARK ? new PcapngFormat() : PcapFormat.of(mark);
}
