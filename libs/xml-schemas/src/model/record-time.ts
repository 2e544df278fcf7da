const TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?(Z|[+-]\d{2}:\d{2})?$/i;

const FOUR_CENTURIES_MS = 146_097 * 86_400_000;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** 0 for an invalid month. */
function daysOf(year: number, month: number): number {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeapYear ? 29 : (DAYS[month - 1] ?? 0);
}

/**
 * Milliseconds since 1970 of a time of a record: ISO 8601 with any number of fractional digits, in UTC unless it
 * has an offset. Undefined when the text is not such a time.
 */
export function epochMillis(text: string | undefined): number | undefined {
  const parts = text === undefined ? null : TIME.exec(text.trim());
  if (!parts) return undefined;
  const year = Number(parts[1]);
  const month = Number(parts[2]);
  const day = Number(parts[3]);
  const hour = Number(parts[4]);
  const minute = Number(parts[5]);
  const second = Number(parts[6] ?? 0);
  if (hour > 23 || minute > 59 || second > 60 || day < 1 || day > daysOf(year, month)) return undefined;
  const fraction = Number((parts[7] ?? '').padEnd(3, '0').slice(0, 3));
  // Date.UTC maps years below 100 to the 20th century; the calendar repeats after 400 years.
  const local = Date.UTC(year + 400, month - 1, day, hour, minute, second, fraction) - FOUR_CENTURIES_MS;
  return local - offsetMillis(parts[8]);
}

function offsetMillis(zone: string | undefined): number {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}

/**
 * The same time in UTC, to the last digit: `…T11:25:27.1234567+02:00` -> `…T09:25:27.1234567Z`. Other texts are not
 * changed.
 */
export function utcTime(text: string | undefined): string | undefined {
  // The fast path for most times: a front end converts thousands per second.
  if (text === undefined || text.endsWith('Z')) return text;
  const parts = TIME.exec(text.trim());
  const at = epochMillis(text);
  if (!parts || at === undefined || parts[8]?.toUpperCase() === 'Z') return text;
  const fraction = parts[7] === undefined ? '' : `.${parts[7]}`;
  return `${new Date(at).toISOString().slice(0, 19)}${fraction}Z`;
}
