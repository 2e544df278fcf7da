import { texts } from '../texts/search.js';

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

export function parseSort(text: string): Sort | undefined {
  return NAMES.find((sort) => sort === text);
}
