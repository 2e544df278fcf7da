const HIGHEST = 0x7f_ff_ff;
const LOWEST = -0x80_00_00;

/**
 * The cumulative number of packets lost (RFC 3550, 6.4.1): 24 bits with a sign, which agents write as signed, or as unsigned
 * of 24 or 32 bits. Undefined if it is none of these, and at the ends of its range, where it no longer counts.
 */
export function cumulativeLoss(value: number): number | undefined {
  const signed = value > 0xff_ff_ff ? value - 0x1_00_00_00_00 : value > HIGHEST ? value - 0x1_00_00_00 : value;
  return signed > LOWEST && signed < HIGHEST ? signed : undefined;
}
