import { Bytes } from './bytes.js';
import { CaptureError } from './capture-error.js';
import { MAX_FRAME, frameTime, type CaptureFormat, type Frame, type Part } from './frame.js';

export const PCAPNG_MARK = 0x0a_0d_0d_0a;
const BLOCK = { section: PCAPNG_MARK, link: 1, oldPacket: 2, simplePacket: 3, packet: 6 } as const;
const ORDER_MARK = 0x1a_2b_3c_4d;
const OPTION = { end: 0, resolution: 9, offset: 14 } as const;
/** Type and length before the body, the length again after it. */
const FRAMING = 12;
const MAX_BLOCK = 16 * 1_024 * 1_024;
const MAX_LINKS = 1_000;

/** One captured network interface. */
interface Link {
  readonly linkType: number;
  /** Resolution of times, in parts of a second. */
  readonly parts: number;
  readonly offsetSeconds: number;
}

/** The pcapng format (draft-ietf-opsawg-pcapng): sections of blocks, with frames of several interfaces in each. */
export class PcapngFormat implements CaptureFormat {
  private isBig = true;
  private links: Link[] = [];
  private lastAt = 0;

  next(bytes: Buffer): Part | undefined {
    if (bytes.length < FRAMING) return undefined;
    // The type of a section is the same in either byte order; the field after it shows the byte order.
    if (bytes.readUInt32BE(0) === BLOCK.section) this.beginSection(bytes);
    const numbers = new Bytes(bytes, this.isBig);
    const [type, length] = [numbers.u32(0), numbers.u32(4)];
    if (length < FRAMING || length % 4 !== 0 || length > MAX_BLOCK) {
      throw new CaptureError(`a block cannot have ${length} bytes`);
    }
    if (bytes.length < length) return undefined;
    const body = bytes.subarray(8, length - 4);
    if (type === BLOCK.link) this.addLink(body);
    const frame = this.frameOf(type, body);
    return frame ? { length, frame } : { length };
  }

  private beginSection(bytes: Buffer): void {
    this.isBig = bytes.readUInt32BE(8) === ORDER_MARK;
    if (!this.isBig && bytes.readUInt32LE(8) !== ORDER_MARK)
      throw new CaptureError('a section has no valid byte-order magic');
    this.links = [];
  }

  private addLink(body: Buffer): void {
    if (body.length < 8) throw new CaptureError('an interface description is truncated');
    if (this.links.length === MAX_LINKS) throw new CaptureError(`there are more than ${MAX_LINKS} interfaces`);
    const options = this.optionsIn(body.subarray(8));
    const offset = options.get(OPTION.offset);
    this.links.push({
      linkType: new Bytes(body, this.isBig).u16(0),
      parts: ticksPerSecond(options.get(OPTION.resolution)?.[0]),
      offsetSeconds: offset?.length === 8 ? new Bytes(offset, this.isBig).i64(0) : 0,
    });
  }

  private optionsIn(bytes: Buffer): ReadonlyMap<number, Buffer> {
    const options = new Map<number, Buffer>();
    for (let at = 0; at + 4 <= bytes.length;) {
      const numbers = new Bytes(bytes, this.isBig);
      const [code, length] = [numbers.u16(at), numbers.u16(at + 2)];
      if (code === OPTION.end) break;
      options.set(code, bytes.subarray(at + 4, at + 4 + length));
      at += 4 + Math.ceil(length / 4) * 4;
    }
    return options;
  }

  private frameOf(type: number, body: Buffer): Frame | undefined {
    switch (type) {
      case BLOCK.packet:
        return this.timedFrame(body, (numbers) => numbers.u32(0));
      case BLOCK.oldPacket:
        return this.timedFrame(body, (numbers) => numbers.u16(0));
      case BLOCK.simplePacket: {
        const length = body.length < 4 ? -1 : new Bytes(body, this.isBig).u32(0);
        return this.frame(0, this.lastAt, body.subarray(4), Math.min(length, body.length - 4));
      }
      default:
        return undefined;
    }
  }

  private timedFrame(body: Buffer, linkOf: (numbers: Bytes) => number): Frame {
    if (body.length < 20) throw new CaptureError('a packet block is truncated');
    const numbers = new Bytes(body, this.isBig);
    const link = linkOf(numbers);
    const { parts, offsetSeconds } = this.linkAt(link);
    const ticks = numbers.u32(4) * 2 ** 32 + numbers.u32(8);
    this.lastAt = frameTime(ticks / parts + offsetSeconds);
    return this.frame(link, this.lastAt, body.subarray(20), numbers.u32(12));
  }

  private frame(link: number, at: number, data: Buffer, captured: number): Frame {
    if (captured < 0 || captured > data.length || captured > MAX_FRAME) {
      throw new CaptureError(`a packet cannot have ${captured} bytes`);
    }
    return { at, linkType: this.linkAt(link).linkType, bytes: data.subarray(0, captured) };
  }

  private linkAt(index: number): Link {
    const link = this.links[index];
    if (!link) throw new CaptureError(`unknown interface ${index}`);
    return link;
  }
}

/** A power of ten, or of two if the highest bit is set; microseconds by default. */
function ticksPerSecond(resolution = 6): number {
  return resolution < 0x80 ? 10 ** resolution : 2 ** (resolution & 0x7f);
}
