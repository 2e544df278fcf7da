const CNAME = 1;

/** The names in a source description (RFC 3550, 6.5): chunks of an SSRC and items, which a zero ends. */
export function readCnames(part: Buffer, chunks: number): string[] {
  const names: string[] = [];
  let at = 4;
  for (let chunk = 0; chunk < chunks && part.length - at >= 8; chunk++) {
    at += 4;
    for (; at < part.length && part.readUInt8(at) !== 0;) {
      const type = part.readUInt8(at);
      const end = at + 2 + (at + 1 < part.length ? part.readUInt8(at + 1) : part.length);
      if (end > part.length) return names;
      if (type === CNAME && end - at > 2) names.push(part.toString('utf8', at + 2, end));
      at = end;
    }
    // At least one zero, up to a multiple of four.
    at += 4 - (at % 4);
  }
  return names;
}
