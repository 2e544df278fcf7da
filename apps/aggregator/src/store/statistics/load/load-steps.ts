import type { LoadDimension } from '@ringdown/call-catalogue/filters';
import type { Conditions } from '../../../search/filter/call-filter.js';
import type { SiteSubnet } from '../../../search/sites/load-sites.js';
import { isKeyed, keyedValues, placesOfChosen, VALUES } from '../dimensions.js';
import type { LoadQuestion } from './load.js';

/** A stream lasts no longer than its call, so that it counts in no hour in which the call does not. Whole numbers have exact sums. */
const STREAM_TIMES = `greatest("startedAt", began_at) as begins,
      greatest(least("endedAt", until), "startedAt", began_at, from_time) as ends,
      coalesce(floor(average + 0.5), 0) as average, coalesce(floor(maximum + 0.5), 0) as maximum`;
const STREAM_COLUMNS = `"startedAt" timestamptz, "endedAt" timestamptz, average float8, maximum float8`;

/**
 * Common table expressions that end with `shown`, the values with a number each (`series`), and `steps`: every beginning and end of a
 * call or stream of these values, in seconds since the beginning of the period. The sum of all steps so far is the load at that
 * moment. At the same moment, all ends come before all beginnings.
 */
export function loadSteps(conditions: Conditions, sites: readonly SiteSubnet[], question: LoadQuestion): string {
  const from = conditions.placeholder(question.buckets.from);
  const to = conditions.placeholder(question.buckets.to);
  const seconds = (time: string): string => `date_part('epoch', ${time} - ${from}::timestamptz)`;
  const columns = question.by === undefined ? '' : COLUMNS_OF_CALL[valueSource(question.by)];
  return `
    chosen as (
      ${chosenCalls(conditions, { from, to }, `media, ${from}::timestamptz as from_time${columns}`)}
    ), ${seriesOfCalls(conditions, sites, question)}, steps as (
      select series, greatest(${seconds('began_at')}, 0) as at, 1 as rank, 1 as calls, 0::float8 as average,
        0::float8 as maximum, (began_at >= from_time)::integer as attempts
      from of_calls
      union all
      select series, ${seconds('until')}, 0, -1, 0, 0, 0 from of_calls
      union all
      select series, greatest(${seconds('begins')}, 0), 1, 0, average, maximum, 0 from streams
      union all
      select series, ${seconds('ends')}, 0, 0, -average, -maximum, 0 from streams
    )`;
}

type Source = 'keys' | 'frontEnds' | 'places';

const COLUMNS_OF_CALL: Readonly<Record<Source, string>> = {
  keys: ', search_keys',
  frontEnds: ', front_ends',
  places: ', call_key as call',
};

/** The matching calls of [from, to), when they began, and until when they last. */
export function chosenCalls(
  conditions: Conditions,
  { from, to }: { readonly from: string; readonly to: string },
  columns: string,
): string {
  const read = (times: string): string =>
    `select began_at, greatest(coalesce(lasted_until, now()), began_at, ${from}::timestamptz) as until, ${columns}
      from calls ${conditions.where === '' ? 'where' : `${conditions.where} and`} ${times}`;
  return `${read(recent(from, to))} union all ${read(lasting(from))}`;
}

const LONG = `interval '1 hour'`;

/** The calls of [from, to) that began then, or not much earlier. One that ended at its very beginning is not of it. */
function recent(from: string, to: string): string {
  return `began_at >= ${from}::timestamptz - ${LONG} and began_at < ${to}
        and (lasted_until is null or lasted_until > ${from} or began_at >= ${from})`;
}

/** Those that began earlier and last: the index \`calls_that_last\` has its condition in the same words. */
function lasting(from: string): string {
  return `(lasted_until is null or lasted_until - began_at >= ${LONG})
        and began_at < ${from}::timestamptz - ${LONG} and coalesce(lasted_until, 'infinity'::timestamptz) > ${from}`;
}

function valueSource(by: LoadDimension): Source {
  if (isKeyed(by)) return 'keys';
  return by === 'site' ? 'places' : 'frontEnds';
}

/** `of_calls`: the calls of each series, with their time; `streams`: their streams. */
function seriesOfCalls(conditions: Conditions, sites: readonly SiteSubnet[], question: LoadQuestion): string {
  const { by } = question;
  if (by === undefined)
    return `shown as (
      select 1 as series, null::text as value, 1 as values
    ), of_calls as (
      select 1 as series, began_at, until, media, from_time from chosen
    ), ${streamsOfCalls()}`;
  return by === 'site' ? bySite(conditions, sites, question) : byCall(conditions, by, question);
}

function streamsOfCalls(): string {
  return `streams as (
      select series, ${STREAM_TIMES} from of_calls, jsonb_to_recordset(media) as stream(${STREAM_COLUMNS})
    )`;
}

/** Values of whole calls: all streams of a call have them. */
function byCall(conditions: Conditions, by: Exclude<LoadDimension, 'site'>, question: LoadQuestion): string {
  const values = isKeyed(by)
    ? keyedValues(by, question.only && conditions.placeholder(question.only))
    : VALUES[by].values;
  return `valued as (
      select value, began_at, until, media, from_time
      from chosen left join lateral (${values}) as dimension(value) on true
    ), ${shownSeries('count(*) filter (where began_at >= from_time)', conditions, question)}, of_calls as (
      select series, began_at, until, media, from_time from valued join shown on ${SAME_VALUE}
    ), ${streamsOfCalls()}`;
}

/** Values of streams: a call has those of all its streams. */
function bySite(conditions: Conditions, sites: readonly SiteSubnet[], question: LoadQuestion): string {
  return `places as (${placesOfChosen(conditions, sites)}), valued as (
      select call, value, began_at, until, from_time, "startedAt", "endedAt", average, maximum
      from chosen left join lateral jsonb_to_recordset(media) as stream(${STREAM_COLUMNS}, addresses jsonb) on true
        left join lateral (${VALUES.site.values}) as dimension(value) on true
    ), ${shownSeries('count(distinct call) filter (where began_at >= from_time)', conditions, question)}, of_series as (
      select valued.*, series from valued join shown on ${SAME_VALUE}
    ), of_calls as (
      select distinct series, call, began_at, until, from_time from of_series
    ), streams as (
      select series, ${STREAM_TIMES} from of_series
    )`;
}

/** As texts that are never null, because a join by \`is not distinct from\` compares each with each. */
const SAME_VALUE = `coalesce('=' || valued.value, '') = coalesce('=' || shown.value, '')`;

/** Those of which most calls began first. */
function shownSeries(begun: string, conditions: Conditions, { limit, only, also = [] }: LoadQuestion): string {
  const chosen =
    only === undefined
      ? `series <= ${conditions.placeholder(limit)} or value = any(${conditions.placeholder(also)}::text[])`
      : `value = any(${conditions.placeholder(only)}::text[])`;
  return `counted as (
      select value, row_number() over (order by ${begun} desc, value collate "C")::integer as series,
        count(*) over ()::integer as values
      from valued group by value
    ), shown as (
      select series, value, values from counted where ${chosen}
    )`;
}
