/** "Not available" in fields of one byte (RFC 3611, 4.7), and in tenths of it, as phones write scores. */
const OF_BYTES: ReadonlySet<number> = new Set([127, 12.7]);
/** All ones in a field of 16 bits. */
export const OF_WORDS = 65_535;

/** Whether a measurement of a voice report says that there is none (RFC 3611, 4.7; RFC 6035 has the same fields). */
export function isUnavailable(value: number): boolean {
  return OF_BYTES.has(value) || value === OF_WORDS;
}
