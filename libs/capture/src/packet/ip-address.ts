/** Four bytes as text. */
export function ipv4(bytes: Buffer, at = 0): string {
  return `${bytes.readUInt8(at)}.${bytes.readUInt8(at + 1)}.${bytes.readUInt8(at + 2)}.${bytes.readUInt8(at + 3)}`;
}

/** Sixteen bytes as RFC 5952 writes them; an IPv4 address inside IPv6 as IPv4. */
export function ipv6(bytes: Buffer): string {
  const isMapped = bytes.subarray(0, 10).every((byte) => byte === 0) && bytes.readUInt16BE(10) === 0xffff;
  if (isMapped) return ipv4(bytes.subarray(12));
  const groups = Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16));
  // The URL parser knows which run of zeros is written as "::".
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
