import { locale as usual } from '../texts/language.js';
import { timeZone, wallClock, type TimeZone } from './time/time-zone.js';

const DAY_FIELDS = { month: 'short', day: 'numeric' } as const;
const CLOCK_FIELDS = { hour: 'numeric', minute: '2-digit' } as const;
const SECONDS_FIELDS = { ...CLOCK_FIELDS, second: '2-digit' } as const;
const number = new Intl.NumberFormat(usual);
const DAY = 86_400_000;
const PLAIN = { useGrouping: false, signDisplay: 'negative' } as const;
const MOST_DIGITS = 20;

/** A format of the locale (that of the language by default), in the zone that is shown. */
export function zonedFormat(fields: Intl.DateTimeFormatOptions, locale = usual): () => Intl.DateTimeFormat {
  const formats: Partial<Record<TimeZone, Intl.DateTimeFormat>> = {};
  return () => {
    const zone = timeZone();
    return (formats[zone] ??= new Intl.DateTimeFormat(locale, zone === 'UTC' ? { ...fields, timeZone: zone } : fields));
  };
}

/**
 * Formats a time in the zone that is shown, in 12 or 24 hours as the locale has it; with the day if it is not today, and
 * the year if it is another one.
 * @param locale - that of the language by default
 */
export function timeFormat(locale = usual): (at: number, now?: number) => string {
  const today = zonedFormat(SECONDS_FIELDS, locale);
  const thisYear = zonedFormat({ ...DAY_FIELDS, ...SECONDS_FIELDS }, locale);
  const ever = zonedFormat({ year: 'numeric', ...DAY_FIELDS, ...SECONDS_FIELDS }, locale);
  return (at, now = Date.now()) => {
    if (Number.isNaN(at)) return '';
    const [then, current] = [wallClock(at), wallClock(now)];
    const isToday = Math.abs(now - at) < DAY && then.getUTCDate() === current.getUTCDate();
    const format = isToday ? today : then.getUTCFullYear() === current.getUTCFullYear() ? thisYear : ever;
    return format().format(at);
  };
}

export const formatTime = timeFormat();

const hourAndMinute = zonedFormat(CLOCK_FIELDS);
const withSeconds = zonedFormat(SECONDS_FIELDS);
const hourOnly = zonedFormat({ hour: 'numeric' });
const monthAndDay = zonedFormat(DAY_FIELDS);
const dayOfYear = zonedFormat({ year: 'numeric', ...DAY_FIELDS });

/** Hours and minutes, for axes. */
export function formatClock(at: number): string {
  return hourAndMinute().format(at);
}

/** The same with seconds. */
export function formatClockSeconds(at: number): string {
  return withSeconds().format(at);
}

/** As {@link formatClock}, but `6 PM` for a whole hour where the day has twice 12 hours. */
export function formatShortClock(at: number): string {
  const isWholeHour = wallClock(at).getUTCMinutes() === 0;
  return isWholeHour && hourOnly().resolvedOptions().hour12 === true ? hourOnly().format(at) : formatClock(at);
}

/** Month and day, for axes; with the year if it is another one. */
export function formatDay(at: number, now = Date.now()): string {
  const isThisYear = wallClock(at).getUTCFullYear() === wallClock(now).getUTCFullYear();
  return (isThisYear ? monthAndDay : dayOfYear)().format(at);
}

const dayAndMinute = zonedFormat({ ...DAY_FIELDS, ...CLOCK_FIELDS });
const minuteOfYear = zonedFormat({ year: 'numeric', ...DAY_FIELDS, ...CLOCK_FIELDS });

/** Month, day, hour and minute, as short as a table needs it; with the year if it is another one. */
export function formatMinute(at: number, now = Date.now()): string {
  const isThisYear = wallClock(at).getUTCFullYear() === wallClock(now).getUTCFullYear();
  return (isThisYear ? dayAndMinute : minuteOfYear)().format(at);
}

/** Whether a day begins then, in the zone that is shown. */
export function isMidnight(at: number): boolean {
  const clock = wallClock(at);
  return clock.getUTCHours() + clock.getUTCMinutes() + clock.getUTCSeconds() === 0;
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
  return seconds < 60 ? withUnit(formatDecimal(Number(seconds.toPrecision(2))), 's') : formatDuration(seconds);
}

/** `0.82 s`, `2 min 18 s`, `1 h 5 min`: in a sentence, where `2:18` could be a time of day. */
export function formatSpan(seconds: number): string {
  const whole = Math.round(seconds);
  if (whole < 60) return formatSeconds(seconds);
  const isLong = whole >= 3600;
  const [large, small] = isLong ? [3600, 60] : [60, 1];
  const [units, rest] = [Math.floor(whole / large), Math.floor((whole % large) / small)];
  const written = withUnit(formatDecimal(units), isLong ? 'h' : 'min');
  return rest === 0 ? written : `${written} ${withUnit(formatDecimal(rest), isLong ? 'min' : 's')}`;
}

/** `12.5 %` of a share of 0.125. */
export function formatShare(share: number): string {
  return withUnit(formatRounded(share * 100), '%');
}

/** A written number before its unit: with a space at which no line breaks. */
export function withUnit(number: string, unit: string): string {
  return `${number}\u00A0${unit}`;
}

const LEAST = 0.001;

/** Three digits or so. What is not zero is not shown as zero. */
export function formatRounded(value: number): string {
  const size = Math.abs(value);
  if (size > 0 && size < LEAST) return `${value < 0 ? '> \u2212' : '< '}${formatDecimal(LEAST)}`;
  if (size < 0.1) return formatDecimal(Number(value.toPrecision(2)));
  return formatDecimal(Number(value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2)));
}

const UNITS = ['bit/s', 'kbit/s', 'Mbit/s', 'Gbit/s', 'Tbit/s'];

/** Bits in a second with three digits at most. */
export function formatBandwidth(bits: number): string {
  const power = Math.min(UNITS.length - 1, bits < 1000 ? 0 : Math.floor(Math.log10(bits) / 3));
  const value = bits / 1000 ** power;
  const isWhole = value >= 100 || (power === 0 && value >= 1);
  return withUnit(formatDecimal(isWhole ? Math.round(value) : Number(value.toPrecision(2))), UNITS[power] ?? '');
}

/** Formats a measured value with all its digits and the decimal sign of the locale (that of the language by default). */
export function decimalFormat(locale = usual): (value: number) => string {
  const format = new Intl.NumberFormat(locale, { ...PLAIN, maximumFractionDigits: MOST_DIGITS });
  return (value) => format.format(value);
}

export const formatDecimal = decimalFormat();

/** The same with a fixed number of decimals. */
export function fixedFormat(locale = usual): (value: number, digits: number) => string {
  const formats = new Map<number, Intl.NumberFormat>();
  return (value, digits) => {
    const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    const format = formats.get(digits) ?? new Intl.NumberFormat(locale, { ...PLAIN, ...fraction });
    formats.set(digits, format);
    return format.format(value);
  };
}

export const formatFixed = fixedFormat();

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
export function shownSipAddress(uri: string | undefined): string {
  const address = (uri ?? '').replace(/^sips?:/i, '');
  const parameters = address.indexOf(';', address.lastIndexOf('@') + 1);
  return visible(address.slice(0, parameters === -1 ? undefined : parameters));
}

/** Foreign text with a sign in place of each character that only changes how it is displayed. */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, '\uFFFD');
}
