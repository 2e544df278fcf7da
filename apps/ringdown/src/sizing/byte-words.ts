const UNITS = ['KB', 'MB', 'GB', 'TB', 'PB'];

/** In powers of 1,000, as disks are sold: `12.6 GB`. */
export function inBytes(value: number): string {
  const power = Math.min(UNITS.length, Math.max(1, Math.floor(Math.log10(Math.max(1, value)) / 3)));
  return `${rounded(value / 1_000 ** power)} ${UNITS[power - 1] ?? ''}`;
}

/** Three digits that count. */
export function rounded(value: number): string {
  return value.toLocaleString('en', { maximumSignificantDigits: 3 });
}
