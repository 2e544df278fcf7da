const [SENDER_REPORT, RECEIVER_REPORT] = [200, 201];
const BLOCK = 24;
const HEADS: Readonly<Record<number, number>> = { [SENDER_REPORT]: 28, [RECEIVER_REPORT]: 8 };

/**
 * Of a compound packet of RTCP only the reports (RFC 3550, 6.4), without extensions: descriptions of sources contain names and
 * addresses of users. Packets that are no RTCP become empty.
 */
export function reportBlocks(packet: Buffer): Buffer {
  const reports: Buffer[] = [];
  for (let at = 0; at + 4 <= packet.length;) {
    const length = (packet.readUInt16BE(at + 2) + 1) * 4;
    const head = HEADS[packet.readUInt8(at + 1)];
    const wanted = (head ?? 0) + (packet.readUInt8(at) & 0x1f) * BLOCK;
    const isWhole = wanted <= length && at + length <= packet.length;
    if (head !== undefined && isWhole) reports.push(withLength(packet.subarray(at, at + wanted)));
    at += length;
  }
  return Buffer.concat(reports);
}

function withLength(report: Buffer): Buffer {
  const copy = Buffer.from(report);
  copy.writeUInt16BE(copy.length / 4 - 1, 2);
  // No padding is left.
  copy.writeUInt8(copy.readUInt8(0) & 0xdf, 0);
  return copy;
}
