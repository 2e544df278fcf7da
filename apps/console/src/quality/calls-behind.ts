import type { Verdict } from '../api/calls.js';
import type { Dimension } from '../api/statistics.js';
import { filterOf, searchOf, type TextName } from '../search/filter.js';
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

/** The search that finds the calls behind a mark, as the router writes it. No search finds what has no known value. */
export function callsBehind({ time, verdict, of }: Mark): string {
  const address = searchOf({
    ...filterOf(''),
    span: undefined,
    from: new Date(time.from).toISOString(),
    to: new Date(time.to).toISOString(),
    verdicts: verdict === undefined ? [] : [verdict],
    texts: of === undefined ? {} : { [FILTERS[of.by]]: of.value },
  });
  return `/calls?${address}`;
}

/** A bucket of a chart as a mark: its time and what it holds in words, and the calls behind it. */
export function bucketMark(
  time: Bucket,
  words: string,
): { readonly key: number; readonly title: string; readonly href: string } {
  return {
    key: time.from,
    title: `${shownBucket(time)} (${bucketInUtc(time)}): ${words}`,
    href: callsBehind({ time }),
  };
}
