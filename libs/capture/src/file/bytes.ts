/** Reads numbers in the byte order of the machine that wrote the file. */
export class Bytes {
  constructor(
    private readonly bytes: Buffer,
    private readonly isBig: boolean,
  ) {}

  u16(at: number): number {
    return this.isBig ? this.bytes.readUInt16BE(at) : this.bytes.readUInt16LE(at);
  }

  u32(at: number): number {
    return this.isBig ? this.bytes.readUInt32BE(at) : this.bytes.readUInt32LE(at);
  }

  i64(at: number): number {
    return Number(this.isBig ? this.bytes.readBigInt64BE(at) : this.bytes.readBigInt64LE(at));
  }
}
