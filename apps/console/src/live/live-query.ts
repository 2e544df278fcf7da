import { CALL_STATES, VERDICTS } from '../api/calls.js';
import { addressText } from '../parts/time/period.js';
import { texts } from '../texts/live.js';
import { NO_FACETS, type Facets } from './facets.js';

/** The order of the list within its groups. */
export const SORTS = [
  { sort: 'severity', words: texts.sorts.severity },
  { sort: 'newest', words: texts.sorts.newest },
  { sort: 'oldest', words: texts.sorts.oldest },
] as const;
export type LiveSort = (typeof SORTS)[number]['sort'];

/** What rows are grouped by. */
export const GROUPS = [
  { group: 'none', words: texts.groups.none },
  { group: 'frontEnd', words: texts.groups.frontEnd },
  { group: 'site', words: texts.groups.site },
  { group: 'verdict', words: texts.groups.verdict },
] as const;
export type LiveGroup = (typeof GROUPS)[number]['group'];

/** A parameter of the address. */
export type Pair = readonly [name: string, value: string];

/** What narrows the view. */
export interface LiveFilters {
  readonly facets: Facets;
  /**
   * All other parameters as they are written: filters of the search, which the charts have, and what nobody knows. What they
   * mean is in files that only an address with some of them needs (`live-criteria.ts`).
   */
  readonly others: readonly Pair[];
  /** Parameters of this view with a value that it does not know. */
  readonly unknown: readonly Pair[];
}

/** The state of the live view, which is completely in its address. */
export interface LiveQuery extends LiveFilters {
  readonly sort: LiveSort;
  readonly group: LiveGroup;
  readonly isPaused: boolean;
}

export const NO_FILTERS: LiveFilters = { facets: NO_FACETS, others: [], unknown: [] };

const FACET_KINDS: ReadonlyMap<string, keyof Facets> = new Map([
  ['state', 'states'],
  ['verdict', 'verdicts'],
  ['frontEnd', 'frontEnds'],
] as const);
const KNOWN: Readonly<Record<keyof Facets, readonly string[] | undefined>> = {
  states: CALL_STATES,
  verdicts: VERDICTS,
  frontEnds: undefined,
};
const OF_ARRANGEMENT: ReadonlySet<string> = new Set(['sort', 'group', 'paused']);
/** More values than a person selects; an address may hold any number. */
const MAX_VALUES = 100;

/** The query of an address. */
export function readLiveQuery(search: string): LiveQuery {
  const given = new URLSearchParams(search);
  const sort = SORTS.find((each) => each.sort === given.get('sort'))?.sort;
  const group = GROUPS.find((each) => each.group === given.get('group'))?.group;
  const isPaused = given.get('paused') === '1';
  const isKnown: Readonly<Record<string, boolean>> = {
    sort: sort !== undefined,
    group: group !== undefined,
    paused: isPaused,
  };
  const filters = readLiveFilters([...given].filter(([name]) => !OF_ARRANGEMENT.has(name)));
  const unknown = [...given].filter(([name, value]) => isKnown[name] === false && value !== '');
  return {
    ...filters,
    unknown: [...filters.unknown, ...unknown],
    sort: sort ?? 'severity',
    group: group ?? 'none',
    isPaused,
  };
}

/** The filters among these parameters. */
export function readLiveFilters(given: readonly Pair[]): LiveFilters {
  const values: Record<keyof Facets, Set<string>> = { states: new Set(), verdicts: new Set(), frontEnds: new Set() };
  const others: Pair[] = [];
  const unknown: Pair[] = [];
  for (const [name, written] of given) {
    const kind = FACET_KINDS.get(name);
    if (kind === undefined) {
      if (written.trim() !== '') others.push([name, written.trim()]);
      continue;
    }
    const known = KNOWN[kind];
    // As in the search: several states and verdicts stand in one parameter, too.
    for (const value of known === undefined ? [written] : written.split(',')) {
      if (value.trim() === '') continue;
      if (known?.includes(value.trim()) === false) unknown.push([name, value.trim()]);
      else if (values[kind].size < MAX_VALUES) values[kind].add(value.trim());
    }
  }
  return { facets: values, others: others.slice(0, MAX_VALUES), unknown };
}

/** The parameters of filters in an address, which are those of the search. */
export function filterPairs({ facets, others }: Pick<LiveFilters, 'facets' | 'others'>): readonly Pair[] {
  return [
    ['state', [...facets.states].join(',')],
    ['verdict', [...facets.verdicts].join(',')],
    ...[...facets.frontEnds].map((frontEnd): Pair => ['frontEnd', frontEnd]),
    ...others,
  ];
}

/** The address of a query, in the syntax of the router. */
export function liveHref({ facets, others, sort, group, isPaused }: LiveQuery): string {
  const text = addressText([
    ...filterPairs({ facets, others }),
    ['sort', sort === 'severity' ? '' : sort],
    ['group', group === 'none' ? '' : group],
    ['paused', isPaused ? '1' : ''],
  ]);
  return text === '' ? '/live' : `/live?${text}`;
}

/** The site of calls in the list; undefined for all. */
export function chosenSite({ others }: Pick<LiveFilters, 'others'>): string | undefined {
  return others.find(([name]) => name === 'site')?.[1];
}

/** Whether the list has only some of the calls. */
export function isNarrowed(filters: Pick<LiveFilters, 'facets' | 'others'>): boolean {
  const { states, verdicts, frontEnds } = filters.facets;
  return states.size + verdicts.size + frontEnds.size > 0 || chosenSite(filters) !== undefined;
}
