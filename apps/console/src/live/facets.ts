import type { CallState, Verdict } from '../api/answers.js';
import { isInProgress } from '../api/calls.js';
import type { CallRow } from './call-row.js';

/** The filter of the list; an empty set matches everything. */
export interface Facets {
  readonly states: ReadonlySet<string>;
  readonly verdicts: ReadonlySet<string>;
  readonly frontEnds: ReadonlySet<string>;
}

export const NO_FACETS: Facets = { states: new Set(), verdicts: new Set(), frontEnds: new Set() };

/** Number of calls in progress of each kind. */
export interface FacetCounts {
  readonly states: ReadonlyMap<CallState, number>;
  readonly verdicts: ReadonlyMap<Verdict, number>;
  readonly frontEnds: ReadonlyMap<string, number>;
}

export function countFacets(rows: readonly CallRow[]): FacetCounts {
  const states = new Map<CallState, number>();
  const verdicts = new Map<Verdict, number>();
  const frontEnds = new Map<string, number>();
  for (const row of rows) {
    if (!isInProgress(row.state)) continue;
    count(states, row.state);
    count(verdicts, row.verdict);
    for (const frontEnd of row.frontEnds) count(frontEnds, frontEnd);
  }
  return { states, verdicts, frontEnds };
}

export function filterByFacets(rows: readonly CallRow[], facets: Facets): readonly CallRow[] {
  const { states, verdicts, frontEnds } = facets;
  if (states.size + verdicts.size + frontEnds.size === 0) return rows;
  return rows.filter(
    (row) =>
      (states.size === 0 || states.has(row.state)) &&
      (verdicts.size === 0 || verdicts.has(row.verdict)) &&
      (frontEnds.size === 0 || row.frontEnds.some((frontEnd) => frontEnds.has(frontEnd))),
  );
}

/** Adds a value, or removes it if it is already there. */
export function toggleFacet(facets: Facets, kind: keyof Facets, value: string): Facets {
  const values = new Set(facets[kind]);
  if (!values.delete(value)) values.add(value);
  return { ...facets, [kind]: values };
}

function count<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
