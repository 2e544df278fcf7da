import { constants } from 'node:zlib';
import { ZstdCompress, ZstdDecompress } from 'minizlib';

export interface FrameOptions {
  readonly level: number;
  /** Of a damaged frame, not more than this is unpacked. */
  readonly mostBytes: number;
  readonly dictionary?: Buffer;
}

/**
 * Values as zstd frames with a checksum, each readable alone. The contexts are kept: `zstdCompressSync` makes one for each value, which takes
 * as long as compressing a call (ADR 0120). Not for work whose time is limited: interrupted, minizlib leaves `Buffer.concat` changed.
 */
export class ZstdFrames {
  private packing: ZstdCompress | undefined;
  private unpacking: ZstdDecompress | undefined;

  constructor(private readonly options: FrameOptions) {}

  pack(value: Buffer): Buffer {
    this.packing ??= compressor(this.options);
    return framed(this.packing, value);
  }

  /** Throws when the frame is damaged, not complete, or of more bytes than a value can have. */
  unpack(frame: Buffer): Buffer {
    this.unpacking ??= decompressor(this.options);
    try {
      return framed(this.unpacking, frame);
    } catch (error) {
      // A context that has failed is closed.
      this.unpacking = undefined;
      throw error;
    }
  }
}

function compressor({ level, dictionary }: FrameOptions): ZstdCompress {
  const params = { [constants.ZSTD_c_compressionLevel]: level, [constants.ZSTD_c_checksumFlag]: 1 };
  const zlibOptions = { params, dictionary, flush: constants.ZSTD_e_end };
  return new ZstdCompress(zlibOptions);
}

function decompressor({ mostBytes: maxOutputLength, dictionary }: FrameOptions): ZstdDecompress {
  const zlibOptions = { maxOutputLength, dictionary, flush: constants.ZSTD_e_end };
  return new ZstdDecompress(zlibOptions);
}

function framed(stream: ZstdCompress | ZstdDecompress, value: Buffer): Buffer {
  stream.write(value);
  return stream.read() ?? Buffer.alloc(0);
}
