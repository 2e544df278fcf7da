import { AUDIO } from '@ringdown/call-catalogue/choices';
import { CALL_RANGES } from '@ringdown/call-catalogue/filters';
import { searchKey } from '../../search/keys/search-keys.js';
import { IS_IN_PROGRESS } from '../../store/database/call-states.js';

export type AlertMeasure = CallMeasure | FeedMeasure;

/** Each is a number of problems in the window. */
export type CountMeasure = 'rejectedRecords' | 'failingRegistrations';

/** Of feeds, not of calls. */
export type FeedMeasure = 'silentFeed' | CountMeasure;

/** Each is the average of one number of each call. */
export type CallMeasure = 'badCalls' | 'noAudio' | 'mos' | 'serverErrors' | 'answerSeizure' | 'shortCalls';

export interface MeasureRow {
  readonly unit: 'ratio' | 'mos' | 's' | 'count';
  /** On which side of the limit an alert fires. */
  readonly comparison: 'above' | 'below';
  /** The range of the limit. */
  readonly least: number;
  readonly most: number;
  /** Completes "… is 0.2". */
  readonly text: string;
}

const SHARE = { unit: 'ratio', least: 0, most: 1 } as const;
/** Gaps are known to five minutes, and the activity of feeds is kept for a week. */
const SILENCE = { unit: 's', least: 300, most: 604_800 } as const;

const COUNT = { unit: 'count', least: 0, most: 1_000_000, comparison: 'above' } as const;

export const ALERT_MEASURES: Readonly<Record<AlertMeasure, MeasureRow>> = {
  badCalls: { ...SHARE, comparison: 'above', text: 'The share of bad calls' },
  noAudio: { ...SHARE, comparison: 'above', text: 'The share of calls with one-way or silent audio' },
  mos: { unit: 'mos', least: 1, most: 5, comparison: 'below', text: 'The average MOS' },
  serverErrors: { ...SHARE, comparison: 'above', text: 'The share of calls that ended with a 5xx response' },
  answerSeizure: { ...SHARE, comparison: 'below', text: 'The answer-seizure ratio' },
  shortCalls: { ...SHARE, comparison: 'above', text: 'The share of short calls' },
  silentFeed: { ...SILENCE, comparison: 'above', text: 'The time without a record' },
  rejectedRecords: { ...COUNT, text: 'The number of rejected records' },
  failingRegistrations: { ...COUNT, text: 'The number of failed registrations' },
};

export function isOfFeeds(measure: AlertMeasure): measure is FeedMeasure {
  return measure === 'silentFeed' || isCount(measure);
}

export function isCount(measure: AlertMeasure): measure is CountMeasure {
  return ALERT_MEASURES[measure].unit === 'count';
}

const SERVER_ERRORS = Array.from({ length: 100 }, (_, index) => `'${searchKey('endCode', 500 + index)}'`).join(', ');

const NO_AUDIO = AUDIO.map((heard) => `'${searchKey('audio', heard)}'`).join(', ');

/**
 * The number of a call as SQL over the columns of `calls`; null for calls that do not count. `short` adds
 * `shortSeconds` to the statement and returns its placeholder.
 */
export function callNumber(measure: CallMeasure, short: () => string): string {
  return NUMBERS[measure](short);
}

const DURATION = CALL_RANGES.durationSeconds.column;

const NUMBERS: Readonly<Record<CallMeasure, (short: () => string) => string>> = {
  badCalls: () => `case verdict when 'bad' then 1 when 'unknown' then null else 0 end`,
  // Of the calls whose media were measured in some way.
  noAudio: () =>
    `case when ${IS_IN_PROGRESS} then null when search_keys && array[${NO_AUDIO}] then 1 when verdict <> 'unknown' then 0 end`,
  mos: () => CALL_RANGES.mos.column,
  serverErrors: () =>
    `case when ${IS_IN_PROGRESS} then null when search_keys && array[${SERVER_ERRORS}] then 1 else 0 end`,
  answerSeizure: () => `case when state in ('active', 'held', 'ended') then 1 when state = 'failed' then 0 end`,
  // An unknown duration is stored as a negative one.
  shortCalls: (short) =>
    `case when state = 'ended' and ${DURATION} >= 0 then (${DURATION} < ${short()}::float8)::integer end`,
};
