const TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?(Z|[+-]\d{2}:\d{2})?$/i;

/**
 * Milliseconds since 1970 of a time of a record: ISO 8601 with any number of fractional digits, in UTC unless it
 * carries an offset. Undefined when the text is no such time.
 */
export function epochMillis(text: string | undefined): number | undefined {
  const parts = text === undefined ? null : TIME.exec(text.trim());
  if (!parts) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const midnight = new Date(0);
  midnight.setUTCFullYear(year, month - 1, day);
  // A day that the month does not have would roll over into the next month.
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) return undefined;
  const fraction = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  const local = midnight.getTime() + ((hour * 60 + minute) * 60 + second) * 1_000 + fraction;
  return local - offsetMillis(parts[8]);
}

function offsetMillis(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}

/** The same moment in UTC, to the last digit: `…T11:25:27.1234567+02:00` -> `…T09:25:27.1234567Z`. Other texts stay. */
export function utcTime(text: string | undefined): string | undefined {
  const parts = text === undefined ? null : TIME.exec(text.trim());
  const at = epochMillis(text);
  if (!parts || at === undefined || parts[8]?.toUpperCase() === 'Z') return text;
  const fraction = parts[7] === undefined ? '' : `.${parts[7]}`;
  return `${new Date(at).toISOString().slice(0, 19)}${fraction}Z`;
}
