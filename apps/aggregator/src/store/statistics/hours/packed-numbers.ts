/** The largest number that is written: eight bytes of seven bits. */
export const MOST_PACKED = 2 ** 53 - 1;

/** Whole numbers from 0 in as few bytes as they need: seven bits in each, the lowest first; all but the last one have the highest bit. */
export class PackedWriter {
  private bytes = Buffer.allocUnsafe(64);
  private at = 0;

  write(number: number): void {
    if (this.at + 8 > this.bytes.length) this.bytes = Buffer.concat([this.bytes], 2 * this.bytes.length);
    let rest = Math.min(number, MOST_PACKED);
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.bytes[this.at++] = (rest % 128) + 128;
    this.bytes[this.at++] = rest;
  }

  /** Also below 0. */
  writeSigned(number: number): void {
    this.write(number < 0 ? -2 * number - 1 : 2 * number);
  }

  get written(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.at));
  }
}

/** Reads what {@link PackedWriter} has written. */
export class PackedReader {
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {}

  get hasEnded(): boolean {
    return this.at >= this.bytes.length;
  }

  next(): number {
    let byte = this.bytes[this.at++] ?? 0;
    if (byte < 128) return byte;
    let number = byte - 128;
    for (let scale = 128; byte >= 128; scale *= 128) {
      byte = this.bytes[this.at++] ?? 0;
      number += (byte & 127) * scale;
    }
    return number;
  }

  nextSigned(): number {
    const number = this.next();
    return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
  }
}
