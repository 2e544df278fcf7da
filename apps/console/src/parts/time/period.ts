import { texts } from '../../texts/parts.js';

/** Relative time spans and their words in the address. */
export const SPANS = [
  { span: '1h', hours: 1, words: texts.spans['1h'] },
  { span: '24h', hours: 24, words: texts.spans['24h'] },
  { span: '7d', hours: 168, words: texts.spans['7d'] },
  { span: '30d', hours: 720, words: texts.spans['30d'] },
  { span: 'all', hours: undefined, words: texts.spans.all },
] as const;

export type Span = (typeof SPANS)[number]['span'];

/** The time range of a view. */
export interface Period {
  /** If undefined, `from` and `to` are used. */
  readonly span: Span | undefined;
  /** ISO 8601; empty without a limit. */
  readonly from: string;
  readonly to: string;
}

/** The period of an address; the usual one if the address has none. */
export function periodInAddress(given: URLSearchParams, usual: Span): Period {
  const [from, to] = [isoTimeOrEmpty(given.get('from')), isoTimeOrEmpty(given.get('to'))];
  return { span: parseSpan(given.get('last')) ?? (from === '' && to === '' ? usual : undefined), from, to };
}

/** The period for an address; defaults are empty. */
export function periodTexts({ span, from, to }: Period, usual: Span): [string, string][] {
  const isOwn = span === undefined;
  return [
    ['last', isOwn || span === usual ? '' : span],
    ['from', isOwn ? from : ''],
    ['to', isOwn ? to : ''],
  ];
}

/** The query string. Commas stay unescaped, which is allowed and easier to read. */
export function addressText(given: readonly (readonly [string, string])[]): string {
  const texts = given.filter(([, value]) => value !== '').map(([name, value]) => [name, value]);
  return new URLSearchParams(texts).toString().replaceAll('%2C', ',');
}

/** Length of a span; undefined if it has no beginning. */
export function spanHours(span: Span | undefined): number | undefined {
  return SPANS.find((each) => each.span === span)?.hours;
}

export function parseSpan(text: string | null): Span | undefined {
  return SPANS.find(({ span }) => span === text)?.span;
}

/** ISO 8601 in UTC; empty if it is not a time. */
export function isoTimeOrEmpty(text: string | null): string {
  const at = Date.parse(text ?? '');
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}
