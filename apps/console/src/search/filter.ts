import type { Query } from '../api/api.js';
import { CALL_STATES, VERDICTS } from '../api/calls.js';

/** Times that go on: the last so many hours, as a word in the address. */
export const SPANS = [
  { span: '1h', hours: 1, words: 'last hour' },
  { span: '24h', hours: 24, words: 'last 24 hours' },
  { span: '7d', hours: 168, words: 'last 7 days' },
  { span: '30d', hours: 720, words: 'last 30 days' },
  { span: 'all', hours: undefined, words: 'all that is kept' },
] as const;

export type Span = (typeof SPANS)[number]['span'];
export const SORTS = ['newest', 'oldest', 'longest', 'shortest'] as const;

/** Filters of one text each; their names are those of the query API. */
export const TEXTS = [
  'user',
  'address',
  'frontEnd',
  'errorCode',
  'diagnosticsCode',
  'callId',
  'conversationId',
  'conferenceId',
  'correlationId',
] as const;
export type TextName = (typeof TEXTS)[number];

/** What the search view shows, all of which stands in its address. */
export interface Filter {
  /** `from` and `to` count where it is undefined. */
  readonly span: Span | undefined;
  /** ISO 8601; empty where there is no limit. */
  readonly from: string;
  readonly to: string;
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
  const [from, to] = [timeOf(text('from')), timeOf(text('to'))];
  const texts: Partial<Record<TextName, string>> = {};
  for (const name of TEXTS) if (text(name) !== '') texts[name] = text(name);
  const usual: Span = EXACT.some((name) => texts[name] !== undefined) ? 'all' : DEFAULT_SPAN;
  return {
    span: spanOf(text('last')) ?? (from === '' && to === '' ? usual : undefined),
    from,
    to,
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
  const plain = filterOf(new URLSearchParams(textsOf(filter)).toString());
  const given: [string, string][] = [
    ['last', filter.span === undefined || filter.span === plain.span ? '' : filter.span],
    ['from', filter.span === undefined ? filter.from : ''],
    ['to', filter.span === undefined ? filter.to : ''],
    ['state', filter.states.join(',')],
    ['verdict', filter.verdicts.join(',')],
    ...textsOf(filter),
    ['sort', filter.sort === 'newest' ? '' : filter.sort],
    ['cursor', filter.cursor],
    ['asOf', filter.cursor === '' ? '' : filter.asOf],
  ];
  // Commas are allowed in a query, and addresses with them are easier to read.
  return new URLSearchParams(given.filter(([, value]) => value !== '')).toString().replaceAll('%2C', ',');
}

/** The same as a question to the query API. */
export function queryOf(filter: Filter, now: number): Query {
  const hours = SPANS.find(({ span }) => span === filter.span)?.hours;
  const query: Record<string, string | undefined> = {
    from: hours === undefined ? filter.from : new Date(timeAsOf(filter, now) - hours * 3_600_000).toISOString(),
    to: filter.span === undefined ? filter.to : '',
    state: filter.states.join(','),
    verdict: filter.verdicts.join(','),
    ...Object.fromEntries(textsOf(filter)),
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

function textsOf({ texts }: Filter): [TextName, string][] {
  return TEXTS.map((name) => [name, texts[name] ?? '']);
}

export function spanOf(text: string): Span | undefined {
  return SPANS.find(({ span }) => span === text)?.span;
}

function timeOf(text: string): string {
  const at = Date.parse(text);
  return Number.isNaN(at) ? '' : new Date(at).toISOString();
}
