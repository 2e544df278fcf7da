import type { Dimension } from '../api/answers.js';
import { addressText, periodInAddress, periodTexts, parseSpan, SPANS, type Period } from '../parts/time/period.js';
import { criteriaIn, criteriaTexts, type Criteria } from '../search/filter.js';
import { unknownParameters } from '../search/unknown-parameters.js';
import { comparisonChecks, comparisonIn, comparisonTexts, type Comparison } from './comparison/comparison.js';
import { dimensionOf } from './dimensions.js';

/** The query of the view, which is completely in its address. */
export interface QualityQuery {
  readonly period: Period;
  /** The dimension of the rows of the heat map. */
  readonly by: Dimension;
  /** What charts over time show beside each other. */
  readonly comparison: Comparison;
  /** What selects the calls whose streams are counted: every filter of the search. */
  readonly criteria: Criteria;
}

/** Buckets need a beginning. */
export const QUALITY_SPANS = SPANS.filter(({ hours }) => hours !== undefined);
const USUAL_SPAN = '24h';
/** Used because sites may not be configured. */
const USUAL_DIMENSION: Dimension = 'subnet';

/** The query of an address. Unknown parameters are ignored. */
export function readQualityQuery(search: string): QualityQuery {
  const given = new URLSearchParams(search);
  if (given.get('last') === 'all') given.delete('last');
  return {
    period: periodInAddress(given, USUAL_SPAN),
    by: dimensionOf(given.get('by')) ?? USUAL_DIMENSION,
    comparison: comparisonIn(given),
    criteria: criteriaIn(given),
  };
}

/** Parameters of an address that this view does not know, as `name=value`. */
export function unknownIn(search: string): readonly string[] {
  return unknownParameters(search, {
    last: (value) => value !== 'all' && parseSpan(value) !== undefined,
    by: (value) => dimensionOf(value) !== undefined,
    ...comparisonChecks(search),
  });
}

/** The address of a query, in the syntax of the router. */
export function qualityHref({ period, by, comparison, criteria }: QualityQuery): string {
  const text = addressText([
    ...periodTexts(period, USUAL_SPAN),
    ['by', by === USUAL_DIMENSION ? '' : by],
    ...comparisonTexts(comparison),
    ...criteriaTexts(criteria),
  ]);
  return text === '' ? '/quality' : `/quality?${text}`;
}
