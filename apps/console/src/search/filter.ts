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
  'coverage',
  'connection',
  'userAgent',
  'errorCode',
  'diagnosticsCode',
  'endReason',
  'endedBy',
  'endCode',
  'path',
  'pool',
  'device',
  'os',
  'relay',
  'trunk',
  'tenantId',
  'ssid',
  'bssid',
  'mac',
  'driver',
  'category',
  'dscp',
  'vpn',
  'inside',
  'mediaBypass',
  'callId',
  'conversationId',
  'conferenceId',
  'correlationId',
] as const;
export type TextName = (typeof TEXTS)[number];

/** The filter of the search view, which is completely in its address. */
export interface Filter extends Period {
  readonly states: readonly string[];
  readonly verdicts: readonly string[];
  readonly texts: Readonly<Partial<Record<TextName, string>>>;
  readonly sort: (typeof SORTS)[number];
  readonly cursor: string;
  /** The end of the span, ISO 8601; empty for now. All pages of one list share it. */
  readonly asOf: string;
}

const DEFAULT_SPAN: Span = '24h';
/** These identify calls, so they are searched in all time by default. */
const EXACT: readonly TextName[] = ['callId', 'conversationId', 'conferenceId', 'correlationId'];

/** The filter of an address. Unknown parameters are ignored. */
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

/** The address of a filter, without defaults. */
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

/** The filter as a query to the API. */
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

/** The end of a filter's span. */
export function timeAsOf({ asOf }: Filter, now: number): number {
  return asOf === '' ? now : Date.parse(asOf);
}

/** Number of active filters, without the time. */
export function countFilters({ states, verdicts, texts }: Filter): number {
  return states.length + verdicts.length + Object.values(texts).filter((value) => value !== '').length;
}

/** The text filters in an address. */
export function textsOf(given: URLSearchParams, names: readonly TextName[]): Filter['texts'] {
  const found = names.map((name) => [name, given.get(name)?.trim() ?? ''] as const);
  return Object.fromEntries(found.filter(([, value]) => value !== ''));
}

/** Text filters for an address; a missing one is empty. */
export function textPairs(texts: Filter['texts']): [TextName, string][] {
  return TEXTS.map((name) => [name, texts[name] ?? '']);
}
