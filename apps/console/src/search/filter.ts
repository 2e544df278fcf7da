import { CALL_STATES, VERDICTS } from '../api/calls.js';
import {
  addressText,
  spanHours,
  periodInAddress,
  periodTexts,
  isoTimeOrEmpty,
  type Period,
  type Span,
} from '../parts/time/period.js';
import { conditionMeaning, conditionParameters, presentName, type Condition, type Parameters } from './conditions.js';
import { TEXTS, type TextName } from './fields.js';
import { parseSort, USUAL_SORT, type Sort } from './sorts.js';

/** What selects calls, beside their time. The views that count calls have the same. */
export interface Criteria {
  /** Words in any text of the call; empty without. */
  readonly q: string;
  readonly states: readonly string[];
  readonly verdicts: readonly string[];
  /** The first value of each field. */
  readonly texts: Readonly<Partial<Record<TextName, string>>>;
  /** Further values of these fields, and all other conditions. */
  readonly more: readonly Condition[];
}

/** The filter of the search view, which is completely in its address. */
export interface Filter extends Period, Criteria {
  readonly sort: Sort;
  readonly cursor: string;
  /** The end of the span, ISO 8601; empty for now. All pages of one list share it. */
  readonly asOf: string;
}

export const NO_CRITERIA: Criteria = { q: '', states: [], verdicts: [], texts: {}, more: [] };
const DEFAULT_SPAN: Span = '24h';
/** These identify calls, so they are searched in all time by default, like words. */
const EXACT: readonly TextName[] = ['callId', 'conversationId', 'conferenceId', 'correlationId'];

/** The filter of an address. Unknown parameters are ignored. */
export function parseFilter(search: string): Filter {
  const given = new URLSearchParams(search);
  const text = (name: string): string => given.get(name)?.trim() ?? '';
  const criteria = criteriaIn(given);
  return {
    ...periodInAddress(given, usualSpan(criteria)),
    ...criteria,
    sort: parseSort(text('sort')) ?? USUAL_SORT,
    cursor: text('cursor'),
    asOf: isoTimeOrEmpty(text('asOf')),
  };
}

/** The criteria of an address. */
export function criteriaIn(given: URLSearchParams): Criteria {
  const several = (name: string, known: readonly string[]): readonly string[] => {
    const values = new Set(given.getAll(name).flatMap((value) => value.trim().split(',')));
    return known.filter((value) => values.has(value));
  };
  const conditions = [...given]
    .map(([name, value]) => ({ name: presentName(name), value: value.trim() }))
    .filter(({ name, value }) => value !== '' && conditionMeaning(name) !== undefined);
  return {
    ...conditionCriteria(conditions),
    q: given.get('q')?.trim() ?? '',
    states: several('state', CALL_STATES),
    verdicts: several('verdict', VERDICTS),
  };
}

/** The address of a filter, without defaults. */
export function filterAddress(filter: Filter): string {
  return addressText([
    ...periodTexts(filter, usualSpan(filter)),
    ...criteriaTexts(filter),
    ['sort', filter.sort === USUAL_SORT ? '' : filter.sort],
    ['cursor', filter.cursor],
    ['asOf', filter.cursor === '' ? '' : filter.asOf],
  ]);
}

/** Criteria for an address; those that are missing are empty. */
export function criteriaTexts(criteria: Criteria): readonly (readonly [name: string, text: string])[] {
  return [
    ['q', criteria.q],
    ['state', criteria.states.join(',')],
    ['verdict', criteria.verdicts.join(',')],
    ...filterConditions(criteria).map(({ name, value }) => [name, value] as const),
  ];
}

/** A changed filter; a usual period becomes that of the changed filter, unless it is changed as well. */
export function changed(filter: Filter, change: Partial<Filter>): Filter {
  const next = { ...filter, ...change, cursor: '' };
  return filter.span === usualSpan(filter) && !('span' in change) ? { ...next, span: usualSpan(next) } : next;
}

function usualSpan({ texts, q }: Pick<Criteria, 'texts' | 'q'>): Span {
  return q !== '' || EXACT.some((name) => (texts[name] ?? '') !== '') ? 'all' : DEFAULT_SPAN;
}

/** The filter as a query to the API. */
export function filterQuery(filter: Filter, now: number): Parameters {
  const hours = spanHours(filter.span);
  return filled({
    from: hours === undefined ? filter.from : new Date(timeAsOf(filter, now) - hours * 3_600_000).toISOString(),
    to: filter.span === undefined ? filter.to : '',
    ...criteriaParameters(filter),
    sort: filter.sort,
    cursor: filter.cursor,
  });
}

/** The parameters that select calls, without those of time, order and page. */
export function criteriaParameters(criteria: Criteria): Parameters {
  return filled({
    q: criteria.q,
    state: criteria.states.join(','),
    verdict: criteria.verdicts.join(','),
    ...conditionParameters(filterConditions(criteria)),
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
export function filterConditions({ texts, more }: Pick<Criteria, 'texts' | 'more'>): readonly Condition[] {
  const given = textPairs(texts).map(([name, value]) => ({ name, value }));
  return [...given.filter(({ value }) => value !== ''), ...more];
}

/** The parts of a filter that have these conditions. */
export function conditionCriteria(conditions: readonly Condition[]): Pick<Criteria, 'texts' | 'more'> {
  const texts = new Map<string, string>();
  const more: Condition[] = [];
  for (const condition of conditions) {
    const { name, value } = condition;
    if (conditionMeaning(name)?.kind === 'is' && !texts.has(name)) texts.set(name, value);
    else more.push(condition);
  }
  return { texts: Object.fromEntries(texts), more };
}

/** Texts that have a field of their own, and those that are shown as chips. */
export function dividedTexts(
  texts: Criteria['texts'],
  withField: readonly TextName[],
): { readonly shown: Criteria['texts']; readonly others: Criteria['texts'] } {
  const isShown = (name: string): boolean => withField.some((each) => each === name);
  const all = Object.entries(texts);
  return {
    shown: Object.fromEntries(all.filter(([name]) => isShown(name))),
    others: Object.fromEntries(all.filter(([name]) => !isShown(name))),
  };
}

/** Number of active filters, without the time. */
export function countFilters(filter: Filter): number {
  const { q, states, verdicts } = filter;
  return (q === '' ? 0 : 1) + states.length + verdicts.length + filterConditions(filter).length;
}

/** Texts in the order of the fields. */
function textPairs(texts: Criteria['texts']): [TextName, string][] {
  return TEXTS.map((name) => [name, texts[name] ?? '']);
}
