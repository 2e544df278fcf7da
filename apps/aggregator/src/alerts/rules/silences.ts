/** When a rule does not fire. */
export type Silence = SilencePeriod | WeeklySilence;

/** Once. RFC 3339; `to` is not part of it. */
export interface SilencePeriod {
  readonly from: string;
  readonly to: string;
}

/** Every week, from one time of day in UTC to another one; if that is not later, it is that of the next day. */
export interface WeeklySilence {
  /** When it begins. */
  readonly days: readonly Weekday[];
  /** `22:00` */
  readonly from: string;
  readonly to: string;
}

/** In the order of `Date.getUTCDay`. */
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

const DAY_MS = 86_400_000;

/** `now`: milliseconds since 1970. */
export function isSilenced(silences: readonly Silence[], now: number): boolean {
  return silences.some((silence) => {
    if (!('days' in silence)) return now >= Date.parse(silence.from) && now < Date.parse(silence.to);
    // It may have begun yesterday.
    return [0, 1].some((daysAgo) => isIn(silence, now, daysAgo));
  });
}

function isIn({ days, from, to }: WeeklySilence, now: number, daysAgo: number): boolean {
  const midnight = Math.floor(now / DAY_MS) * DAY_MS - daysAgo * DAY_MS;
  const day = WEEKDAYS[new Date(midnight).getUTCDay()];
  if (day === undefined || !days.includes(day)) return false;
  const [begin, end] = [millisOf(from), millisOf(to)];
  return now >= midnight + begin && now < midnight + (end > begin ? end : end + DAY_MS);
}

/** Since midnight. */
function millisOf(timeOfDay: string): number {
  const [hours, minutes] = timeOfDay.split(':').map(Number);
  return ((hours ?? 0) * 60 + (minutes ?? 0)) * 60_000;
}
