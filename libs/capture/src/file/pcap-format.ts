import { Bytes } from './bytes.js';
import { CaptureError } from './capture-error.js';
import { MAX_FRAME, frameTime, type CaptureFormat, type Part } from './frame.js';

const FILE_HEADER_LENGTH = 24;
const FRAME_HEADER_LENGTH = 16;

/** By the first four bytes: byte order, and the resolution of times, in parts of a second. */
const MARKS: ReadonlyMap<number, readonly [isBig: boolean, parts: number]> = new Map([
  [0xa1_b2_c3_d4, [true, 1e6]],
  [0xd4_c3_b2_a1, [false, 1e6]],
  [0xa1_b2_3c_4d, [true, 1e9]],
  [0x4d_3c_b2_a1, [false, 1e9]],
]);

/** The pcap format (draft-ietf-opsawg-pcap): a header, then the frames. */
export class PcapFormat implements CaptureFormat {
  private linkType: number | undefined;

  private constructor(
    private readonly isBig: boolean,
    private readonly parts: number,
  ) {}

  /** Undefined if a file that begins with this mark has another format. */
  static of(mark: number): PcapFormat | undefined {
    const known = MARKS.get(mark);
    return known && new PcapFormat(...known);
  }

  next(bytes: Buffer): Part | undefined {
    const numbers = new Bytes(bytes, this.isBig);
    if (this.linkType === undefined) {
      if (bytes.length < FILE_HEADER_LENGTH) return undefined;
      // The upper bits describe checksums at the end of frames, which are not read here.
      this.linkType = numbers.u32(20) & 0xff_ff;
      return { length: FILE_HEADER_LENGTH };
    }
    if (bytes.length < FRAME_HEADER_LENGTH) return undefined;
    const captured = numbers.u32(8);
    if (captured > MAX_FRAME) throw new CaptureError(`a frame cannot have ${captured} bytes`);
    const length = FRAME_HEADER_LENGTH + captured;
    if (bytes.length < length) return undefined;
    const at = frameTime(numbers.u32(0) + numbers.u32(4) / this.parts);
    return { length, frame: { at, linkType: this.linkType, bytes: bytes.subarray(FRAME_HEADER_LENGTH, length) } };
  }
}
