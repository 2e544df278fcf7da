import { LOAD_DIMENSIONS } from '../api/catalogue.js';
import { addressText, parseSpan, periodInAddress, periodTexts, type Period } from '../parts/time/period.js';
import { criteriaIn, criteriaTexts, type Criteria } from '../search/filter.js';
import { unknownParameters } from '../search/unknown-parameters.js';

export type LoadDimension = (typeof LOAD_DIMENSIONS)[number];

/** What the charts show. */
export const MEASURES = ['calls', 'attempts', 'bandwidth'] as const;
export type Measure = (typeof MEASURES)[number];

/** The query of the view, which is completely in its address. */
export interface CapacityQuery {
  readonly period: Period;
  readonly by: LoadDimension;
  readonly measure: Measure;
  /** The values with a chart; none: those with the highest peaks. */
  readonly chosen: readonly string[];
  /** What selects the calls that are counted: every filter of the search. */
  readonly criteria: Criteria;
}

/** Capacity is bought for weeks, not for the calls of today. */
const USUAL_SPAN = '7d';
/** The only one with limits. */
const USUAL_DIMENSION: LoadDimension = 'trunk';
const USUAL_MEASURE: Measure = 'calls';
/** More charts cannot be compared. */
export const MOST_CHOSEN = 12;

/** The query of an address. Unknown parameters are ignored. */
export function readCapacityQuery(search: string): CapacityQuery {
  const given = new URLSearchParams(search);
  if (given.get('last') === 'all') given.delete('last');
  const values = given.getAll('value').map((value) => value.trim());
  return {
    period: periodInAddress(given, USUAL_SPAN),
    by: loadDimensionOf(given.get('by')) ?? USUAL_DIMENSION,
    measure: measureOf(given.get('show')) ?? USUAL_MEASURE,
    chosen: [...new Set(values.filter((value) => value !== ''))].slice(0, MOST_CHOSEN),
    criteria: criteriaIn(given),
  };
}

/** Parameters of an address that this view does not know, as `name=value`. */
export function unknownInCapacity(search: string): readonly string[] {
  return unknownParameters(search, {
    last: (value) => value !== 'all' && parseSpan(value) !== undefined,
    by: (value) => loadDimensionOf(value) !== undefined,
    show: (value) => measureOf(value) !== undefined,
    value: () => true,
  });
}

/** The address of a query, in the syntax of the router. */
export function capacityHref({ period, by, measure, chosen, criteria }: CapacityQuery): string {
  const text = addressText([
    ...periodTexts(period, USUAL_SPAN),
    ['by', by === USUAL_DIMENSION ? '' : by],
    ['show', measure === USUAL_MEASURE ? '' : measure],
    ...chosen.map((value) => ['value', value] as const),
    ...criteriaTexts(criteria),
  ]);
  return text === '' ? '/capacity' : `/capacity?${text}`;
}

export function loadDimensionOf(text: string | null): LoadDimension | undefined {
  return LOAD_DIMENSIONS.find((by) => by === text);
}

export function measureOf(text: string | null): Measure | undefined {
  return MEASURES.find((measure) => measure === text);
}
