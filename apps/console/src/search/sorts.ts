import { texts } from '../texts/search.js';

/** The orders of the query API, with their words. */
export const SORTS = [
  { sort: 'newest', words: texts.sorts.newest },
  { sort: 'oldest', words: texts.sorts.oldest },
  { sort: '-ended', words: texts.sorts['-ended'] },
  { sort: 'ended', words: texts.sorts.ended },
  { sort: '-verdict', words: texts.sorts['-verdict'] },
  { sort: 'verdict', words: texts.sorts.verdict },
  { sort: 'state', words: texts.sorts.state },
  { sort: '-state', words: texts.sorts['-state'] },
  { sort: 'mos', words: texts.sorts.mos },
  { sort: '-mos', words: texts.sorts['-mos'] },
  { sort: '-loss', words: texts.sorts['-loss'] },
  { sort: 'loss', words: texts.sorts.loss },
  { sort: '-jitter', words: texts.sorts['-jitter'] },
  { sort: 'jitter', words: texts.sorts.jitter },
  { sort: '-roundTrip', words: texts.sorts['-roundTrip'] },
  { sort: 'roundTrip', words: texts.sorts.roundTrip },
  { sort: 'longest', words: texts.sorts.longest },
  { sort: 'shortest', words: texts.sorts.shortest },
  { sort: '-ringSeconds', words: texts.sorts['-ringSeconds'] },
  { sort: 'ringSeconds', words: texts.sorts.ringSeconds },
  { sort: '-setupSeconds', words: texts.sorts['-setupSeconds'] },
  { sort: 'setupSeconds', words: texts.sorts.setupSeconds },
  { sort: '-postDialSeconds', words: texts.sorts['-postDialSeconds'] },
  { sort: 'postDialSeconds', words: texts.sorts.postDialSeconds },
  { sort: 'linkSpeed', words: texts.sorts.linkSpeed },
  { sort: '-linkSpeed', words: texts.sorts['-linkSpeed'] },
] as const;

export type Sort = (typeof SORTS)[number]['sort'];

export const USUAL_SORT: Sort = 'newest';

export function sortOf(text: string): Sort | undefined {
  return SORTS.find(({ sort }) => sort === text)?.sort;
}
