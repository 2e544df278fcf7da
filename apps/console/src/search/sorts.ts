import { texts } from '../texts/search.js';
import type { Column } from './columns.js';

/** The orders of the query API. */
const NAMES = [
  'newest',
  'oldest',
  '-ended',
  'ended',
  '-verdict',
  'verdict',
  'state',
  '-state',
  'mos',
  '-mos',
  '-loss',
  'loss',
  '-jitter',
  'jitter',
  '-roundTrip',
  'roundTrip',
  'longest',
  'shortest',
  '-ringSeconds',
  'ringSeconds',
  '-setupSeconds',
  'setupSeconds',
  '-postDialSeconds',
  'postDialSeconds',
  'linkSpeed',
  '-linkSpeed',
] as const;

export type Sort = (typeof NAMES)[number];

/** With their words. */
export const SORTS = NAMES.map((sort) => ({ sort, words: texts.sorts[sort] }));

export const USUAL_SORT: Sort = 'newest';

/** The column with the value that calls are sorted by; null for the time of the beginning, which is always shown. */
const SORTED_COLUMNS: Readonly<Record<Sort, Column | null>> = {
  newest: null,
  oldest: null,
  '-ended': 'ended',
  ended: 'ended',
  '-verdict': 'verdict',
  verdict: 'verdict',
  state: 'state',
  '-state': 'state',
  mos: 'mos',
  '-mos': 'mos',
  '-loss': 'loss',
  loss: 'loss',
  '-jitter': 'jitter',
  jitter: 'jitter',
  '-roundTrip': 'roundTrip',
  roundTrip: 'roundTrip',
  longest: 'lasted',
  shortest: 'lasted',
  '-ringSeconds': 'ringTime',
  ringSeconds: 'ringTime',
  '-setupSeconds': 'setupTime',
  setupSeconds: 'setupTime',
  '-postDialSeconds': 'postDialDelay',
  postDialSeconds: 'postDialDelay',
  linkSpeed: 'linkSpeed',
  '-linkSpeed': 'linkSpeed',
};

/** The chosen columns, and first that of the order: without it, the rows look as if they had none. */
export function columnsWithSorted(chosen: readonly Column[], sort: Sort): readonly Column[] {
  const sorted = SORTED_COLUMNS[sort];
  return sorted === null || chosen.includes(sorted) ? chosen : [sorted, ...chosen];
}

/** For `aria-sort`; undefined for a column that calls are not sorted by. */
export function sortDirection(column: Column, sort: Sort): 'ascending' | 'descending' | undefined {
  if (SORTED_COLUMNS[sort] !== column) return undefined;
  return sort === 'longest' || sort.startsWith('-') ? 'descending' : 'ascending';
}

export function parseSort(text: string): Sort | undefined {
  return NAMES.find((sort) => sort === text);
}
