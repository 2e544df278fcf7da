/** The orders of the query API, with their words. */
export const SORTS = [
  { sort: 'newest', words: 'newest first' },
  { sort: 'oldest', words: 'oldest first' },
  { sort: '-ended', words: 'last ended first' },
  { sort: 'ended', words: 'first ended first' },
  { sort: '-verdict', words: 'worst verdict first' },
  { sort: 'verdict', words: 'best verdict first' },
  { sort: 'state', words: 'by state' },
  { sort: '-state', words: 'by state, reversed' },
  { sort: 'mos', words: 'lowest MOS first' },
  { sort: '-mos', words: 'highest MOS first' },
  { sort: '-loss', words: 'most loss first' },
  { sort: 'loss', words: 'least loss first' },
  { sort: '-jitter', words: 'most jitter first' },
  { sort: 'jitter', words: 'least jitter first' },
  { sort: '-roundTrip', words: 'longest round trip first' },
  { sort: 'roundTrip', words: 'shortest round trip first' },
  { sort: 'longest', words: 'longest first' },
  { sort: 'shortest', words: 'shortest first' },
  { sort: '-ringSeconds', words: 'longest ring time first' },
  { sort: 'ringSeconds', words: 'shortest ring time first' },
  { sort: '-setupSeconds', words: 'longest setup first' },
  { sort: 'setupSeconds', words: 'shortest setup first' },
  { sort: '-postDialSeconds', words: 'longest post-dial delay first' },
  { sort: 'postDialSeconds', words: 'shortest post-dial delay first' },
  { sort: 'linkSpeed', words: 'slowest link first' },
  { sort: '-linkSpeed', words: 'fastest link first' },
] as const;

export type Sort = (typeof SORTS)[number]['sort'];

export const USUAL_SORT: Sort = 'newest';

export function sortOf(text: string): Sort | undefined {
  return SORTS.find(({ sort }) => sort === text)?.sort;
}
