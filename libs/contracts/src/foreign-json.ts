/** Checks of JSON that foreign senders post, shared by all bodies beside records. */
export type Untrusted = Partial<Record<string, unknown>>;

/** PostgreSQL stores no text with the character 0, and no half of a surrogate pair. */
export function isText(value: unknown, least: number, most: number): value is string {
  return (
    typeof value === 'string' &&
    value.length >= least &&
    value.length <= most &&
    !value.includes('\0') &&
    value.isWellFormed()
  );
}

export function isWhole(value: unknown, most: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= most;
}

export function isCount(value: unknown): value is number {
  return isWhole(value, Number.MAX_SAFE_INTEGER);
}

/** What a date can be, before the year 9999: milliseconds since 1970. */
export function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Date.UTC(9999);
}
