import type { Dimension } from '../api/answers.js';
import { addressText, periodOf, periodTexts, SPANS, type Period } from '../parts/period.js';
import { textPairs, textsOf, type Filter, type TextName } from '../search/filter.js';

/** What the view shows, all of which stands in its address. */
export interface Question {
  readonly period: Period;
  /** What the rows of the heat map are. */
  readonly by: Dimension;
  /** What narrows the calls whose streams are counted. */
  readonly texts: Filter['texts'];
}

/** Filters that say where a call was and with what; verdicts are what the view itself tells apart. */
export const NARROWING_TEXTS = [
  'frontEnd',
  'address',
  'site',
  'userAgent',
  'codec',
  'connection',
  'medium',
] as const satisfies readonly TextName[];

/** What streams are counted by, with the words for one and for several. */
export const DIMENSIONS: readonly { readonly by: Dimension; readonly one: string; readonly many: string }[] = [
  { by: 'site', one: 'Site', many: 'sites' },
  { by: 'subnet', one: 'Subnet', many: 'subnets' },
  { by: 'frontEnd', one: 'Front end', many: 'front ends' },
  { by: 'userAgent', one: 'Device', many: 'devices' },
  { by: 'codec', one: 'Codec', many: 'codecs' },
  { by: 'connection', one: 'Connection', many: 'connections' },
  { by: 'medium', one: 'Medium', many: 'media' },
];

/** Buckets need a beginning. */
export const QUALITY_SPANS = SPANS.filter(({ hours }) => hours !== undefined);
const USUAL_SPAN = '24h';
/** There where nobody has said what the sites are. */
const USUAL_DIMENSION: Dimension = 'subnet';

/** What an address asks for. Whatever is not known in it is left aside. */
export function questionOf(search: string): Question {
  const given = new URLSearchParams(search);
  if (given.get('last') === 'all') given.delete('last');
  return {
    period: periodOf(given, USUAL_SPAN),
    by: dimensionOf(given.get('by')) ?? USUAL_DIMENSION,
    texts: textsOf(given, NARROWING_TEXTS),
  };
}

/** Where a question is answered, as the router writes it. */
export function viewOf({ period, by, texts }: Question): string {
  const text = addressText([
    ...periodTexts(period, USUAL_SPAN),
    ['by', by === USUAL_DIMENSION ? '' : by],
    ...textPairs(texts),
  ]);
  return text === '' ? '/quality' : `/quality?${text}`;
}

export function dimensionOf(text: string | null): Dimension | undefined {
  return DIMENSIONS.find(({ by }) => by === text)?.by;
}

/** The words for one and for several. */
export function wordsFor(by: Dimension): { readonly one: string; readonly many: string } {
  const { one, many } = DIMENSIONS.find((each) => each.by === by) ?? { one: by, many: by };
  return { one, many };
}
