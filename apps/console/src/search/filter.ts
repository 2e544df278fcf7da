import type { Query } from '../api/api.js';
import { CALL_STATES, VERDICTS } from '../api/calls.js';
import { addressText, hoursOf, periodOf, periodTexts, timeOf, type Period, type Span } from '../parts/period.js';

export const SORTS = ['newest', 'oldest', 'longest', 'shortest'] as const;

/** Filters of one text each; their names are those of the query API. */
export const TEXTS = [
  'user',
  'address',
  'frontEnd',
  'site',
  'codec',
  'medium',
  'connection',
  'userAgent',
  'errorCode',
  'diagnosticsCode',
  'callId',
  'conversationId',
  'conferenceId',
  'correlationId',
] as const;
export type TextName = (typeof TEXTS)[number];

/** What the search view shows, all of which stands in its address. */
export interface Filter extends Period {
  readonly states: readonly string[];
  readonly verdicts: readonly string[];
  readonly texts: Readonly<Partial<Record<TextName, string>>>;
  readonly sort: (typeof SORTS)[number];
  readonly cursor: string;
  /** What the span counts back from, ISO 8601; empty for now. The pages of one list have it in common. */
  readonly asOf: string;
}

const DEFAULT_SPAN: Span = '24h';
/** Whoever looks for one of these means it wherever it is. */
const EXACT: readonly TextName[] = ['callId', 'conversationId', 'conferenceId', 'correlationId'];

/** What an address asks for. Whatever is not known in it is left aside. */
export function filterOf(search: string): Filter {
  const given = new URLSearchParams(search);
  const text = (name: string): string => given.get(name)?.trim() ?? '';
  const several = (name: string, known: readonly string[]): readonly string[] => {
    const values = new Set(text(name).split(','));
    return known.filter((value) => values.has(value));
  };
  const texts = textsOf(given, TEXTS);
  return {
    ...periodOf(given, usualSpan(texts)),
    states: several('state', CALL_STATES),
    verdicts: several('verdict', VERDICTS),
    texts,
    sort: SORTS.find((sort) => sort === text('sort')) ?? 'newest',
    cursor: text('cursor'),
    asOf: timeOf(text('asOf')),
  };
}

/** The address of a filter, with nothing in it that goes without saying. */
export function searchOf(filter: Filter): string {
  return addressText([
    ...periodTexts(filter, usualSpan(filter.texts)),
    ['state', filter.states.join(',')],
    ['verdict', filter.verdicts.join(',')],
    ...textPairs(filter.texts),
    ['sort', filter.sort === 'newest' ? '' : filter.sort],
    ['cursor', filter.cursor],
    ['asOf', filter.cursor === '' ? '' : filter.asOf],
  ]);
}

function usualSpan(texts: Filter['texts']): Span {
  return EXACT.some((name) => (texts[name] ?? '') !== '') ? 'all' : DEFAULT_SPAN;
}

/** The same as a question to the query API. */
export function queryOf(filter: Filter, now: number): Query {
  const hours = hoursOf(filter.span);
  const query: Record<string, string | undefined> = {
    from: hours === undefined ? filter.from : new Date(timeAsOf(filter, now) - hours * 3_600_000).toISOString(),
    to: filter.span === undefined ? filter.to : '',
    state: filter.states.join(','),
    verdict: filter.verdicts.join(','),
    ...Object.fromEntries(textPairs(filter.texts)),
    sort: filter.sort,
    cursor: filter.cursor,
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

/** When `now` is for a filter. */
export function timeAsOf({ asOf }: Filter, now: number): number {
  return asOf === '' ? now : Date.parse(asOf);
}

/** How many filters narrow the list, the time aside. */
export function narrowings({ states, verdicts, texts }: Filter): number {
  return states.length + verdicts.length + Object.values(texts).filter((value) => value !== '').length;
}

/** Those of these texts that an address has. */
export function textsOf(given: URLSearchParams, names: readonly TextName[]): Filter['texts'] {
  const found = names.map((name) => [name, given.get(name)?.trim() ?? ''] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== ''));
}

/** The same for an address; one that is not there is empty. */
export function textPairs(texts: Filter['texts']): [TextName, string][] {
  return TEXTS.map((name) => [name, texts[name] ?? '']);
}
