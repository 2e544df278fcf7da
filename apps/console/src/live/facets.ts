import type { CallsInProgress } from '../api/answers.js';
import { isInProgress } from '../api/calls.js';
import type { CallRow } from '../parts/call-row.js';

/** The filter of the list; an empty set matches everything. */
export interface Facets {
  readonly states: ReadonlySet<string>;
  readonly verdicts: ReadonlySet<string>;
  readonly frontEnds: ReadonlySet<string>;
}

export const NO_FACETS: Facets = { states: new Set(), verdicts: new Set(), frontEnds: new Set() };

type CallCounts = NonNullable<CallsInProgress['counts']>;

/** Number of calls in progress of each kind. */
export interface FacetCounts {
  readonly states: ReadonlyMap<string, number>;
  readonly verdicts: ReadonlyMap<string, number>;
  readonly frontEnds: ReadonlyMap<string, number>;
}

export const NO_COUNTS: FacetCounts = { states: new Map(), verdicts: new Map(), frontEnds: new Map() };

/** `unlisted`: of calls in progress that are not among the rows. */
export function countFacets(rows: readonly CallRow[], unlisted = NO_COUNTS): FacetCounts {
  const counts = facetCountsCopy(unlisted);
  for (const row of rows) if (isInProgress(row.state)) addRow(counts, row, 1);
  return counts;
}

/** The counts of the server without those of the rows, which are in them. */
export function countsWithout({ states, verdicts, frontEnds }: CallCounts, rows: readonly CallRow[]): Counting {
  const counts = {
    states: new Map(Object.entries(states)),
    verdicts: new Map(Object.entries(verdicts)),
    frontEnds: new Map(Object.entries(frontEnds)),
  };
  for (const row of rows) addRow(counts, row, -1);
  return counts;
}

/** Counts that are changed in place. */
export type Counting = Readonly<Record<keyof FacetCounts, Map<string, number>>>;

export function facetCountsCopy({ states, verdicts, frontEnds }: FacetCounts): Counting {
  return { states: new Map(states), verdicts: new Map(verdicts), frontEnds: new Map(frontEnds) };
}

/** Adds a call, or removes it. It may have changed since it was counted: no count is below zero. */
export function addRow(counts: Counting, row: CallRow, by: 1 | -1): void {
  // One that is over was most probably active when it was counted.
  add(counts.states, isInProgress(row.state) ? row.state : 'active', by);
  add(counts.verdicts, row.verdict, by);
  for (const frontEnd of row.frontEnds) add(counts.frontEnds, frontEnd, by);
}

/** `site`: undefined for all; without regard to case, as the search compares it. */
export function filterByFacets(rows: readonly CallRow[], facets: Facets, site?: string): readonly CallRow[] {
  const { states, verdicts, frontEnds } = facets;
  if (states.size + verdicts.size + frontEnds.size === 0 && site === undefined) return rows;
  const name = site?.toLowerCase();
  return rows.filter(
    (row) =>
      (states.size === 0 || states.has(row.state)) &&
      (verdicts.size === 0 || verdicts.has(row.verdict)) &&
      (frontEnds.size === 0 || row.frontEnds.some((frontEnd) => frontEnds.has(frontEnd))) &&
      (name === undefined || row.sites.some((each) => each.toLowerCase() === name)),
  );
}

/** Adds a value, or removes it if it is already there. */
export function toggleFacet(facets: Facets, kind: keyof Facets, value: string): Facets {
  const values = new Set(facets[kind]);
  if (!values.delete(value)) values.add(value);
  return { ...facets, [kind]: values };
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  counts.set(key, Math.max(0, (counts.get(key) ?? 0) + by));
}
