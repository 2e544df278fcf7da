import { CALL_STATES, VERDICTS } from '../api/calls.js';
import { addressText, hoursOf, periodOf, periodTexts, timeOf, type Period, type Span } from '../parts/period.js';
import { meaningOf, parametersOf, type Condition, type Parameters } from './conditions.js';
import { TEXTS, type TextName } from './fields.js';
import { sortOf, USUAL_SORT, type Sort } from './sorts.js';

/** The filter of the search view, which is completely in its address. */
export interface Filter extends Period {
  /** Words in any text of the call; empty without. */
  readonly q: string;
  readonly states: readonly string[];
  readonly verdicts: readonly string[];
  /** The first value of each field. */
  readonly texts: Readonly<Partial<Record<TextName, string>>>;
  /** Further values of these fields, and all other conditions. */
  readonly more: readonly Condition[];
  readonly sort: Sort;
  readonly cursor: string;
  /** The end of the span, ISO 8601; empty for now. All pages of one list share it. */
  readonly asOf: string;
}

const DEFAULT_SPAN: Span = '24h';
/** These identify calls, so they are searched in all time by default, like words. */
const EXACT: readonly TextName[] = ['callId', 'conversationId', 'conferenceId', 'correlationId'];

/** The filter of an address. Unknown parameters are ignored. */
export function filterOf(search: string): Filter {
  const given = new URLSearchParams(search);
  const text = (name: string): string => given.get(name)?.trim() ?? '';
  const several = (name: string, known: readonly string[]): readonly string[] => {
    const values = new Set(given.getAll(name).flatMap((value) => value.trim().split(',')));
    return known.filter((value) => values.has(value));
  };
  const conditions = [...given]
    .map(([name, value]) => ({ name, value: value.trim() }))
    .filter(({ name, value }) => value !== '' && meaningOf(name) !== undefined);
  const parts = partsOf(conditions);
  const q = text('q');
  return {
    ...periodOf(given, usualSpan({ ...parts, q })),
    ...parts,
    q,
    states: several('state', CALL_STATES),
    verdicts: several('verdict', VERDICTS),
    sort: sortOf(text('sort')) ?? USUAL_SORT,
    cursor: text('cursor'),
    asOf: timeOf(text('asOf')),
  };
}

/** The address of a filter, without defaults. */
export function searchOf(filter: Filter): string {
  return addressText([
    ...periodTexts(filter, usualSpan(filter)),
    ['q', filter.q],
    ['state', filter.states.join(',')],
    ['verdict', filter.verdicts.join(',')],
    ...conditionsOf(filter).map(({ name, value }) => [name, value] as const),
    ['sort', filter.sort === USUAL_SORT ? '' : filter.sort],
    ['cursor', filter.cursor],
    ['asOf', filter.cursor === '' ? '' : filter.asOf],
  ]);
}

/** A changed filter; a usual period becomes that of the changed filter, unless it is changed as well. */
export function changed(filter: Filter, change: Partial<Filter>): Filter {
  const next = { ...filter, ...change, cursor: '' };
  return filter.span === usualSpan(filter) && !('span' in change) ? { ...next, span: usualSpan(next) } : next;
}

function usualSpan({ texts, q }: Pick<Filter, 'texts' | 'q'>): Span {
  return q !== '' || EXACT.some((name) => (texts[name] ?? '') !== '') ? 'all' : DEFAULT_SPAN;
}

/** The filter as a query to the API. */
export function queryOf(filter: Filter, now: number): Parameters {
  const hours = hoursOf(filter.span);
  return filled({
    from: hours === undefined ? filter.from : new Date(timeAsOf(filter, now) - hours * 3_600_000).toISOString(),
    to: filter.span === undefined ? filter.to : '',
    ...criteriaOf(filter),
    sort: filter.sort,
    cursor: filter.cursor,
  });
}

/** The parameters that select calls, without those of time, order and page. */
export function criteriaOf(filter: Filter): Parameters {
  return filled({
    q: filter.q,
    state: filter.states.join(','),
    verdict: filter.verdicts.join(','),
    ...parametersOf(conditionsOf(filter)),
  });
}

/** Without parameters that have no text. */
export function filled(parameters: Parameters): Parameters {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== ''));
}

/** The end of a filter's span. */
export function timeAsOf({ asOf }: Filter, now: number): number {
  return asOf === '' ? now : Date.parse(asOf);
}

/** All conditions of a filter, beside its words, states and verdicts. */
export function conditionsOf({ texts, more }: Pick<Filter, 'texts' | 'more'>): readonly Condition[] {
  const given = textPairs(texts).map(([name, value]) => ({ name, value }));
  return [...given.filter(({ value }) => value !== ''), ...more];
}

/** The parts of a filter that have these conditions. */
export function partsOf(conditions: readonly Condition[]): Pick<Filter, 'texts' | 'more'> {
  const texts = new Map<string, string>();
  const more: Condition[] = [];
  for (const condition of conditions) {
    const { name, value } = condition;
    if (meaningOf(name)?.kind === 'is' && !texts.has(name)) texts.set(name, value);
    else more.push(condition);
  }
  return { texts: Object.fromEntries(texts), more };
}

/** Number of active filters, without the time. */
export function countFilters(filter: Filter): number {
  const { q, states, verdicts } = filter;
  return (q === '' ? 0 : 1) + states.length + verdicts.length + conditionsOf(filter).length;
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
