import type { CallState, Dimension, Verdict } from '../api/answers.js';
import { parseFilter, NO_CRITERIA, filterAddress, type Criteria } from '../search/filter.js';
import type { TextName } from '../search/fields.js';
import { filterFor } from './dimensions.js';
import { bucketInUtc, formatBucket, type TimeBucket } from './timeframe.js';

/** The time and value of a mark in a chart. */
export interface Mark {
  readonly time: TimeBucket;
  readonly verdict?: Verdict;
  /** Of the calls; all without. */
  readonly states?: readonly CallState[];
  readonly of?: { readonly by: Dimension; readonly value: string };
}

/**
 * The address of the search that finds the calls behind a mark, within these filters, in the syntax of the router. If both name
 * a value, that of the mark is used.
 */
export function callsBehind({ time, verdict, states = [], of }: Mark, criteria: Criteria = NO_CRITERIA): string {
  const address = filterAddress({
    ...parseFilter(''),
    span: undefined,
    from: new Date(time.from).toISOString(),
    to: new Date(time.to).toISOString(),
    ...criteria,
    states: states.length === 0 ? criteria.states : statesLeft(states, criteria.states),
    verdicts: verdict === undefined ? criteria.verdicts : [verdict],
    ...(of !== undefined && withValue(criteria, filterFor(of.by), of.value)),
  });
  return `/calls?${address}`;
}

/** Further values of the field would find calls that the mark does not count. */
function withValue({ texts, more }: Criteria, field: TextName, value: string): Pick<Criteria, 'texts' | 'more'> {
  return { texts: { ...texts, [field]: value }, more: more.filter(({ name }) => name !== field) };
}

/** Those of the states of a mark that a filter by states leaves; one without states leaves all. */
export function statesLeft(states: readonly CallState[], chosen: readonly string[]): readonly CallState[] {
  return chosen.length === 0 ? states : states.filter((state) => chosen.includes(state));
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
