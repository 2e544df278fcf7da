/** Messages of baresip's control port: `5:hello,`. */
export class Netstrings {
  private rest = Buffer.alloc(0);

  static write(text: string): string {
    return `${Buffer.byteLength(text)}:${text},`;
  }

  /** The messages that are complete now. */
  add(bytes: Buffer): readonly string[] {
    this.rest = Buffer.concat([this.rest, bytes]);
    const complete: string[] = [];
    for (;;) {
      const colon = this.rest.indexOf(':');
      if (colon < 0) return complete;
      const end = colon + 1 + Number(this.rest.toString('latin1', 0, colon));
      if (this.rest.length <= end) return complete;
      complete.push(this.rest.toString('utf8', colon + 1, end));
      this.rest = this.rest.subarray(end + 1);
    }
  }
}
