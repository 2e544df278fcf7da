const DAY_FIELDS = { month: 'short', day: 'numeric' } as const;
const CLOCK_FIELDS = { hour: 'numeric', minute: '2-digit' } as const;
const hourAndMinute = new Intl.DateTimeFormat(undefined, CLOCK_FIELDS);
const monthAndDay = new Intl.DateTimeFormat(undefined, DAY_FIELDS);
const number = new Intl.NumberFormat(undefined);
const DAY = 86_400_000;

/**
 * Formats a time in the viewer's zone, in 12 or 24 hours as the locale has it; with the day if it is not today, and the
 * year if it is another one.
 * @param locale - the browser's by default
 */
export function timeFormat(locale?: string): (at: number, now?: number) => string {
  const clock = { ...CLOCK_FIELDS, second: '2-digit' } as const;
  const [today, thisYear, ever] = [
    clock,
    { ...DAY_FIELDS, ...clock },
    { year: 'numeric', ...DAY_FIELDS, ...clock } as const,
  ].map((fields) => new Intl.DateTimeFormat(locale, fields));
  return (at, now = Date.now()) => {
    if (Number.isNaN(at)) return '';
    const [then, current] = [new Date(at), new Date(now)];
    const isToday = Math.abs(now - at) < DAY && then.getDate() === current.getDate();
    const format = isToday ? today : then.getFullYear() === current.getFullYear() ? thisYear : ever;
    return format?.format(at) ?? '';
  };
}

export const formatTime = timeFormat();

/** Hours and minutes, for axes. */
export function formatClock(at: Date): string {
  return hourAndMinute.format(at);
}

/** Month and day, for axes. */
export function formatDay(at: Date): string {
  return monthAndDay.format(at);
}

export function formatUtc(at: number): string {
  return Number.isNaN(at) ? '' : `${new Date(at).toISOString().replace('T', ' ').replace('Z', '')} UTC`;
}

/** `0:07`, `12:30`, `1:02:03`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = `${String(minutes).padStart(hours > 0 ? 2 : 1, '0')}:${String(rest).padStart(2, '0')}`;
  return hours > 0 ? `${hours}:${tail}` : tail;
}

/** `0.82 s`, `6.4 s`, `12:30`. */
export function formatSeconds(seconds: number): string {
  return seconds < 60 ? `${Number(seconds.toPrecision(2))} s` : formatDuration(seconds);
}

const UNITS = ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s', 'Tbit/s'];

/** Bits in a second with three digits at most. */
export function formatBandwidth(bits: number): string {
  const power = Math.min(UNITS.length - 1, bits < 1000 ? 0 : Math.floor(Math.log10(bits) / 3));
  const value = bits / 1000 ** power;
  return `${value >= 100 || (power === 0 && value >= 1) ? Math.round(value) : Number(value.toPrecision(2))} ${UNITS[power]}`;
}

export function formatNumber(value: number): string {
  return number.format(value);
}

/** `one call`, `2,000 calls`. */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${formatNumber(count)} ${count === 1 ? one : many}`;
}

/** Invisible characters that change how text is displayed, especially its direction: callers choose their own names. */
const UNSEEN = /[\p{Cc}\p{Bidi_Control}]/gu;

/** A SIP address without `sip:` and parameters; its characters in logical order. */
export function nameOf(uri: string | undefined): string {
  const address = (uri ?? '').replace(/^sips?:/i, '');
  const parameters = address.indexOf(';', address.lastIndexOf('@') + 1);
  return visible(address.slice(0, parameters === -1 ? undefined : parameters));
}

/** Foreign text with a sign in place of each character that only changes how it is displayed. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, '\uFFFD');
}
