import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { ApiError } from '../api/api.js';
import { CALL_STATES, isInProgress } from '../api/calls.js';
import { addressText } from '../parts/time/period.js';
import { AddFilter } from '../search/add-filter.js';
import { ConditionChips } from '../search/condition-chips.js';
import { searchConditionWords, type Condition } from '../search/conditions.js';
import { RefusalNote } from '../search/refusal-note.js';
import { texts } from '../texts/live.js';
import { texts as searchTexts } from '../texts/search.js';
import {
  allConditions,
  chartConditions,
  furtherConditions,
  liveFiltersWith,
  liveFiltersWithout,
  unknownInLive,
} from './live-criteria.js';
import { filterPairs, type LiveFilters } from './live-query.js';
import styles from './live-view.module.css';

export interface MoreFiltersProps {
  readonly filters: LiveFilters;
  /** Why the charts cannot have them; undefined if they have. */
  readonly refusal: ApiError | undefined;
  readonly isAdding: boolean;
  readonly onChange: (filters: LiveFilters) => void;
}

/** All filters of the search, for the charts; the list has those that its rows tell. */
export function MoreFilters({ filters, refusal, isAdding, onChange }: MoreFiltersProps): ReactNode {
  const unlisted = chartConditions(filters).map(searchConditionWords);
  const unknown = unknownInLive(filters);
  const remove = (removed: Condition): void => onChange(liveFiltersWithout(filters, removed));
  return (
    <div className={styles['filters']}>
      {refusal !== undefined && <RefusalNote refusal={refusal} conditions={allConditions(filters)} onRemove={remove} />}
      <ConditionChips conditions={furtherConditions(filters)} onRemove={remove} />
      {unlisted.length > 0 && (
        <p role="note">
          {texts.chartsOnly(unlisted.join(', '))} <Link href={runningHref(filters)}>{texts.searchRunning}</Link>
        </p>
      )}
      {isAdding && <AddFilter onAdd={(added) => onChange(liveFiltersWith(filters, added))} />}
      {unknown.length > 0 && <p role="note">{searchTexts.ignored(unknown.join(', '))}</p>}
    </div>
  );
}

/** The search for calls in progress with all filters. */
function runningHref({ facets, others }: LiveFilters): string {
  const states = facets.states.size === 0 ? new Set<string>(CALL_STATES.filter(isInProgress)) : facets.states;
  return `/calls?${addressText(filterPairs({ facets: { ...facets, states }, others }))}`;
}
