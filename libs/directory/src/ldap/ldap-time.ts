const GENERALIZED = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(?:[.,]\d+)?Z$/;

/**
 * A moment as directories write it (generalized time, RFC 4517, section 3.3.13), moved by some seconds. Undefined for
 * any other writing: then no incremental reading is possible.
 */
export function movedBy(moment: string, seconds: number): string | undefined {
  const [, year, month, day, hour, minute, second] = (GENERALIZED.exec(moment) ?? []).map(Number);
  if (year === undefined || month === undefined) return undefined;
  const time = new Date(Date.UTC(year, month - 1, day, hour, minute, (second ?? 0) + seconds));
  const digits = time.toISOString().replaceAll(/[-:T]|\.\d+Z$/g, '');
  return `${digits}.0Z`;
}
