import type { CallState, Dimension, Verdict } from '../api/answers.js';
import { filterOf, searchOf, type Filter } from '../search/filter.js';
import type { TextName } from '../search/fields.js';
import { bucketInUtc, formatBucket, type TimeBucket } from './timeframe.js';

/** The time and value of a mark in a chart. */
export interface Mark {
  readonly time: TimeBucket;
  readonly verdict?: Verdict;
  /** Of the calls; all without. */
  readonly states?: readonly CallState[];
  readonly of?: { readonly by: Dimension; readonly value: string };
}

/** The filter of the search for a dimension: its own name, except for subnets. */
function filterFor(by: Dimension): TextName {
  return by === 'subnet' ? 'address' : by;
}

/**
 * The address of the search that finds the calls behind a mark, within these filters, in the syntax of the router. If both name
 * a value, that of the mark is used. Undefined for marks without a known value.
 */
export function callsBehind({ time, verdict, states = [], of }: Mark, texts: Filter['texts'] = {}): string {
  const address = searchOf({
    ...filterOf(''),
    span: undefined,
    from: new Date(time.from).toISOString(),
    to: new Date(time.to).toISOString(),
    states,
    verdicts: verdict === undefined ? [] : [verdict],
    texts: of === undefined ? texts : { ...texts, [filterFor(of.by)]: of.value },
  });
  return `/calls?${address}`;
}

/** A bucket of a chart as a mark: its time, its content as text, and its link. */
export function bucketMark(
  time: TimeBucket,
  words: string,
  behind: (mark: Mark) => string,
): { readonly key: number; readonly title: string; readonly href: string } {
  return {
    key: time.from,
    title: `${formatBucket(time)} (${bucketInUtc(time)}): ${words}`,
    href: behind({ time }),
  };
}
