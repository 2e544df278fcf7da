import { Conditions, type CallFilter } from '../../search/filter/call-filter.js';

const HOUR_MS = 3_600_000;
/** A quarter of a year; a query hour by hour takes longer the more hours there are. */
const MAX_HOURS = 92 * 24;
/** The same expression as in the index `calls_longest_by_hour`. */
const HOUR = `date_trunc('hour', began_at at time zone 'utc')`;

/** The time [from, to), with the whole hours [first, end) of UTC in it. */
export interface WholeHours {
  readonly from: Date;
  readonly first: Date;
  readonly end: Date;
  readonly to: Date;
}

/** Undefined when the filter has other conditions than time, or contains no whole hour, or too many. */
export function wholeHoursOf({ from, to, ...others }: CallFilter): WholeHours | undefined {
  if (from === undefined || to === undefined || new Conditions(others).where !== '') return undefined;
  const first = Math.ceil(from.getTime() / HOUR_MS) * HOUR_MS;
  const end = Math.floor(to.getTime() / HOUR_MS) * HOUR_MS;
  const hours = (end - first) / HOUR_MS;
  return hours < 1 || hours > MAX_HOURS ? undefined : { from, first: new Date(first), end: new Date(end), to };
}

/**
 * The calls of a page, found hour by hour: an index has those of each hour by their durations, so that only as many of
 * it are read as the page has. The parts before the first and after the last whole hour are found by time.
 * `conditions`: on the duration, at least one. `ending`: the order and the limit of the page.
 */
export function callsByHour({ from, first, end, to }: WholeHours, conditions: Conditions, ending: string): string {
  const keys = `select call_key, stored_on, duration_seconds from calls ${conditions.where}`;
  const time = (value: Date): string => `${conditions.placeholder(value)}::timestamptz`;
  const [firstHour, behind] = [time(first), time(end)];
  const parts = [
    `select longest.* from generate_series(
       ${firstHour} at time zone 'utc', ${behind} at time zone 'utc' - interval '1 hour', interval '1 hour'
     ) as hour cross join lateral (${keys} and ${HOUR} = hour ${ending}) as longest`,
  ];
  // As in `source`, `offset 0` prevents the database from scanning the durations of all calls.
  if (from < first) parts.push(`(${keys} and began_at >= ${time(from)} and began_at < ${firstHour} offset 0)`);
  if (end < to) parts.push(`(${keys} and began_at >= ${behind} and began_at < ${time(to)} offset 0)`);
  return `(select call_key, stored_on from (${parts.join(' union all ')}) as parts ${ending}) as page
    join calls using (call_key, stored_on)`;
}
