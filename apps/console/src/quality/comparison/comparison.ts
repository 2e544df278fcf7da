import type { Dimension } from '../../api/answers.js';
import { dimensionOf } from '../dimensions.js';

/** What charts over time show beside each other: the period before, weeks, or values of a dimension, with one line for each. */
export type Comparison =
  | { readonly kind: 'none' | 'before' }
  | { readonly kind: 'weeks'; readonly weeks: number }
  /** Without values, those of the filter, or the most frequent ones. */
  | { readonly kind: 'values'; readonly by: Dimension; readonly values: readonly string[] };

export const NO_COMPARISON: Comparison = { kind: 'none' };
/** More lines could not be distinguished. */
export const MOST_LINES = 6;
/** This one and up to five before it. */
export const WEEKS: readonly number[] = [2, 3, 4, 5, MOST_LINES];

/** The comparison of an address. Unknown values are ignored. */
export function comparisonIn(given: URLSearchParams): Comparison {
  const text = given.get('compare');
  if (text === 'before') return { kind: 'before' };
  const weeks = weeksIn(text);
  if (weeks !== undefined) return { kind: 'weeks', weeks };
  const by = dimensionOf(text);
  return by === undefined ? NO_COMPARISON : { kind: 'values', by, values: linesIn(given) };
}

/** The parameters of an address; defaults are empty. */
export function comparisonTexts(comparison: Comparison): readonly (readonly [name: string, text: string])[] {
  switch (comparison.kind) {
    case 'none':
      return [];
    case 'before':
      return [['compare', 'before']];
    case 'weeks':
      return [['compare', `${comparison.weeks}weeks`]];
    default:
      return [['compare', comparison.by], ...comparison.values.map((value) => ['line', value] as const)];
  }
}

/** Which values of its parameters this address knows: lines only if it has a dimension, and not too many. */
export function comparisonChecks(search: string): Readonly<Record<string, (value: string) => boolean>> {
  const comparison = comparisonIn(new URLSearchParams(search));
  return {
    compare: (value) => value === 'before' || weeksIn(value) !== undefined || dimensionOf(value) !== undefined,
    line: (value) => comparison.kind === 'values' && comparison.values.includes(value),
  };
}

function weeksIn(text: string | null): number | undefined {
  return WEEKS.find((weeks) => text === `${weeks}weeks`);
}

function linesIn(given: URLSearchParams): readonly string[] {
  const values = given.getAll('line').map((value) => value.trim());
  return [...new Set(values.filter((value) => value !== ''))].slice(0, MOST_LINES);
}
