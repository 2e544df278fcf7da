import type { Dimension, Verdict } from '../api/answers.js';
import { filterOf, searchOf, type Filter, type TextName } from '../search/filter.js';
import { bucketInUtc, shownBucket, type Bucket } from './timeframe.js';

/** What a mark stands for. */
export interface Mark {
  readonly time: Bucket;
  readonly verdict?: Verdict;
  readonly of?: { readonly by: Dimension; readonly value: string };
}

/** How the search calls what streams are counted by. */
const FILTERS: Readonly<Record<Dimension, TextName>> = {
  site: 'site',
  subnet: 'address',
  frontEnd: 'frontEnd',
  userAgent: 'userAgent',
  codec: 'codec',
  connection: 'connection',
  medium: 'medium',
};

/**
 * The search that finds the calls behind a mark, of those that these texts leave, as the router writes it. Where both name
 * a value, that of the mark counts, as a search has one of each. No search finds what has no known value.
 */
export function callsBehind({ time, verdict, of }: Mark, texts: Filter['texts'] = {}): string {
  const address = searchOf({
    ...filterOf(''),
    span: undefined,
    from: new Date(time.from).toISOString(),
    to: new Date(time.to).toISOString(),
    verdicts: verdict === undefined ? [] : [verdict],
    texts: of === undefined ? texts : { ...texts, [FILTERS[of.by]]: of.value },
  });
  return `/calls?${address}`;
}

/** A bucket of a chart as a mark: its time and what it holds in words, and where it leads. */
export function bucketMark(
  time: Bucket,
  words: string,
  behind: (mark: Mark) => string,
): { readonly key: number; readonly title: string; readonly href: string } {
  return {
    key: time.from,
    title: `${shownBucket(time)} (${bucketInUtc(time)}): ${words}`,
    href: behind({ time }),
  };
}
