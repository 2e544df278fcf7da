import type { Dimension } from '../api/answers.js';
import { DIMENSIONS } from '../api/catalogue.js';
import { addressText, periodOf, periodTexts, SPANS, type Period } from '../parts/period.js';
import { textPairs, textsOf, type Filter } from '../search/filter.js';
import type { TextName } from '../search/fields.js';
import { texts } from '../texts/quality.js';

/** The query of the view, which is completely in its address. */
export interface QualityQuery {
  readonly period: Period;
  /** The dimension of the rows of the heat map. */
  readonly by: Dimension;
  /** Whether the period before is shown as well. */
  readonly compare: boolean;
  /** Filters of the calls whose streams are counted. */
  readonly texts: Filter['texts'];
}

/** Filters by place and device; the view itself distinguishes verdicts. */
export const NARROWING_TEXTS = [
  'frontEnd',
  'address',
  'site',
  'userAgent',
  'codec',
  'connection',
  'medium',
  'coverage',
] as const satisfies readonly TextName[];

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
    period: periodOf(given, USUAL_SPAN),
    by: dimensionOf(given.get('by')) ?? USUAL_DIMENSION,
    compare: given.get('compare') === 'before',
    texts: textsOf(given, NARROWING_TEXTS),
  };
}

/** The address of a query, in the syntax of the router. */
export function qualityHref({ period, by, compare, texts }: QualityQuery): string {
  const text = addressText([
    ...periodTexts(period, USUAL_SPAN),
    ['by', by === USUAL_DIMENSION ? '' : by],
    ['compare', compare ? 'before' : ''],
    ...textPairs(texts),
  ]);
  return text === '' ? '/quality' : `/quality?${text}`;
}

export function dimensionOf(text: string | null): Dimension | undefined {
  return DIMENSIONS.find((by) => by === text);
}

/** Singular and plural. */
export function wordsFor(by: Dimension): { readonly one: string; readonly many: string } {
  return texts.dimensions[by];
}
