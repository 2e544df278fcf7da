import { plausibleTime } from '../calls/feed-record.js';
import { WEEKDAYS, type Silence, type Weekday } from './silences.js';

const MOST_SILENCES = 20;
const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
/** With a time zone, so that it means the same everywhere. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** Undefined if anything in them is wrong. */
export function silencesIn(value: unknown): readonly Silence[] | undefined {
  if (!Array.isArray(value) || value.length > MOST_SILENCES) return undefined;
  const silences = value.map(silenceIn).filter((silence) => silence !== undefined);
  return silences.length === value.length ? silences : undefined;
}

function silenceIn(value: unknown): Silence | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { from, to, days, ...others }: { from?: unknown; to?: unknown; days?: unknown } = value;
  if (typeof from !== 'string' || typeof to !== 'string' || Object.keys(others).length > 0) return undefined;
  if (days === undefined) return isPeriod(from, to) ? { from, to } : undefined;
  const known = Array.isArray(days) ? WEEKDAYS.filter((day: Weekday) => days.includes(day)) : [];
  if (known.length === 0 || !Array.isArray(days) || known.length !== days.length) return undefined;
  return TIME_OF_DAY.test(from) && TIME_OF_DAY.test(to) ? { days: known, from, to } : undefined;
}

function isPeriod(from: string, to: string): boolean {
  if (!MOMENT.test(from) || !MOMENT.test(to)) return false;
  const [begin, end] = [plausibleTime(from), plausibleTime(to)];
  return begin !== undefined && end !== undefined && begin < end;
}
