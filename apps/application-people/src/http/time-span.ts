const CLOCK = /^(?:(\d{1,4})\.)?(\d{1,2}):([0-5]?\d):([0-5]?\d)(?:\.\d{1,7})?$/;
const ISO = /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,8})(?:\.\d+)?S)?)?$/;

/**
 * Milliseconds of a time span as clients write it: `hh:mm:ss`, with days before a dot, or ISO 8601 (`PT5M`). Undefined
 * for text that is not a time span.
 */
export function parseTimeSpan(text: string): number | undefined {
  const parts = CLOCK.exec(text) ?? (/\d/.test(text) ? ISO.exec(text) : null);
  if (parts === null) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts.slice(1, 5).map((part) => Number(part ?? 0));
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1_000;
}
