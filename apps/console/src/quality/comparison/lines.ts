import type { Dimension, StreamStatistics } from '../../api/answers.js';
import { lineLook } from '../../charts/chart-style.js';
import { zonedFormat } from '../../parts/format.js';
import { conditionMeaning } from '../../search/conditions.js';
import { fieldWord, searchField } from '../../search/fields.js';
import { conditionCriteria, filterConditions, type Criteria } from '../../search/filter.js';
import { filterFor } from '../dimensions.js';
import type { Timeframe } from '../timeframe.js';
import { MOST_LINES } from './comparison.js';

/** One of the lines of each chart. */
export interface Line {
  /** The value, or the beginning of the week. */
  readonly key: string;
  readonly label: string;
  /** Custom property of the theme. */
  readonly colour: string;
  /** So that lines can be told apart without colours as well. */
  readonly isDashed: boolean;
  readonly frame: Timeframe;
  /** Undefined for a week. */
  readonly value?: string;
}

const WEEK_MS = 604_800_000;

export function valueLines(by: Dimension, values: readonly string[], frame: Timeframe): readonly Line[] {
  return values.map((value, index) => ({ key: value, label: fieldWord(by, value), value, frame, ...lineLook(index) }));
}

/** The period, and as many before it at the same time of the week; longer periods are as many weeks apart as they are long. */
export function weekLines(weeks: number, frame: Timeframe): readonly Line[] {
  const step = Math.max(1, Math.ceil((frame.to - frame.from) / WEEK_MS)) * WEEK_MS;
  return Array.from({ length: weeks }, (_, index) => {
    const [from, to] = [frame.from - index * step, frame.to - index * step];
    return { key: String(from), label: formatDays(from, to), frame: { ...frame, from, to }, ...lineLook(index) };
  });
}

const days = zonedFormat({ year: 'numeric', month: 'short', day: 'numeric' });

function formatDays(from: number, to: number): string {
  return days().formatRange(from, to - 1);
}

/** What is compared: the values chosen, those of the filter if it has several, or those with the most streams. */
export function comparedValues(
  chosen: readonly string[],
  filtered: readonly string[],
  known: readonly string[],
): readonly string[] {
  const wanted = chosen.length > 0 ? chosen : filtered.length > 1 ? filtered : known;
  // Filters are not case-sensitive everywhere, values of statistics are.
  const asCounted = wanted.map((value) => known.find((each) => each.toLowerCase() === value.toLowerCase()) ?? value);
  return [...new Set(asCounted)].slice(0, MOST_LINES);
}

/** Every value of an answer for one bucket, in its order. */
export function valuesIn({ items }: Pick<StreamStatistics, 'items'>): readonly string[] {
  return [...new Set(items.flatMap(({ value }) => value ?? []))];
}

/** The values of a dimension in the filter. */
export function filteredValues(criteria: Criteria, by: Dimension): readonly string[] {
  const name = filterFor(by);
  const isList = searchField(name).several === 'commas';
  return filterConditions(criteria)
    .filter((condition) => condition.name === name)
    .flatMap(({ value }) => (isList ? value.split(',') : [value]));
}

/**
 * The criteria with these values alone, unless they have some of this dimension, or its filter does not take several: then the values
 * are among the first ones of the answer, or not known.
 */
export function criteriaOfValues(criteria: Criteria, by: Dimension, values: readonly string[]): Criteria {
  const name = filterFor(by);
  if (searchField(name).several === 'never' || conditionMeaning(name) === undefined) return criteria;
  const given = filterConditions(criteria);
  if (given.some((condition) => condition.name === name)) return criteria;
  return { ...criteria, ...conditionCriteria([...given, ...values.map((value) => ({ name, value }))]) };
}
