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

/** The state of the live view, which is completely in its address. */
export interface LiveQuery {
  readonly facets: Facets;
  readonly sort: LiveSort;
  readonly group: LiveGroup;
  readonly isPaused: boolean;
}

const FACET_NAMES = { states: 'state', verdicts: 'verdict', frontEnds: 'frontEnd' } as const;
const KINDS = ['states', 'verdicts', 'frontEnds'] as const satisfies readonly (keyof Facets)[];
/** More values than a person selects; an address may hold any number. */
const MAX_VALUES = 100;

/** The query of an address. Unknown parameters and values are ignored. */
export function readLiveQuery(search: string): LiveQuery {
  const given = new URLSearchParams(search);
  const valuesOf = (kind: keyof Facets): ReadonlySet<string> =>
    new Set(given.getAll(FACET_NAMES[kind]).slice(0, MAX_VALUES));
  return {
    facets: { states: valuesOf('states'), verdicts: valuesOf('verdicts'), frontEnds: valuesOf('frontEnds') },
    sort: SORTS.find(({ sort }) => sort === given.get('sort'))?.sort ?? 'severity',
    group: GROUPS.find(({ group }) => group === given.get('group'))?.group ?? 'none',
    isPaused: given.get('paused') === '1',
  };
}

/** The address of a query, in the syntax of the router. */
export function liveHref({ facets, sort, group, isPaused }: LiveQuery): string {
  const pairs = KINDS.flatMap((kind) => [...facets[kind]].map((value): [string, string] => [FACET_NAMES[kind], value]));
  const text = new URLSearchParams(pairs);
  if (sort !== 'severity') text.set('sort', sort);
  if (group !== 'none') text.set('group', group);
  if (isPaused) text.set('paused', '1');
  return text.size === 0 ? '/live' : `/live?${text.toString()}`;
}

/** Whether the query shows only some of the calls. */
export function isNarrowed({ facets }: Pick<LiveQuery, 'facets'>): boolean {
  return KINDS.some((kind) => facets[kind].size > NO_FACETS[kind].size);
}
