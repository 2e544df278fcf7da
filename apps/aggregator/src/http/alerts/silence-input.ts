import { rejectParameter } from '@ringdown/web-server/errors';
import { plausibleTime } from '../../calls/feed-record.js';
import { WEEKDAYS, type Silence, type Weekday } from '../../alerts/rules/silences.js';

const TIME_OF_DAY = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
/** With a time zone, so that it means the same everywhere. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;
const PERIOD = 'from and to, times like 2026-12-24T12:00:00Z with to after from, and nothing else';
const WEEKLY =
  'days, a list of names like monday, each once, and from and to, times of day in UTC like 22:00, and nothing else';

/** Throws a {@link Fault} that names the first one that is wrong. */
export function silencesIn(values: readonly unknown[]): readonly Silence[] {
  return values.map((value, index) => {
    const isWeekly = typeof value === 'object' && value !== null && 'days' in value;
    const expected = isWeekly ? WEEKLY : PERIOD;
    return silenceIn(value) ?? rejectParameter('silences', `silences[${index}] must have ${expected}`);
  });
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
