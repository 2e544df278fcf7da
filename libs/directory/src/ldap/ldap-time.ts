const GENERALIZED = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:[.,](\d{1,9}))?Z$/;
/** Units of 100 ns since 1601, the format of Active Directory; shorter numbers are flags. */
const FILE_TIME = /^\d{17,19}$/;
const FILE_TIME_EPOCH_MS = Date.UTC(1601, 0, 1);

/**
 * A time as directories write it (generalized time, RFC 4517, section 3.3.13), moved by some seconds. Undefined for any
 * other format: then no incremental reading is possible.
 */
export function movedBy(moment: string, seconds: number): string | undefined {
  const [, year, month, day, hour, minute, second] = (GENERALIZED.exec(moment) ?? []).map(Number);
  if (year === undefined || month === undefined) return undefined;
  const time = new Date(Date.UTC(year, month - 1, day, hour, minute, (second ?? 0) + seconds));
  const digits = time.toISOString().replaceAll(/[-:T]|\.\d+Z$/g, '');
  return `${digits}.0Z`;
}

/**
 * Milliseconds since 1970 of a generalized time, or of a file time of Active Directory. Undefined for anything else.
 */
export function parseLdapTime(moment: string | undefined): number | undefined {
  if (moment === undefined) return undefined;
  if (FILE_TIME.test(moment)) return Math.round(Number(moment) / 10_000) + FILE_TIME_EPOCH_MS;
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '', fraction = ''] =
    GENERALIZED.exec(moment) ?? [];
  if (year === '') return undefined;
  const at = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return at + Number(`0.${fraction}`) * 1_000;
}
