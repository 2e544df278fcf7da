import type { Parameters, Condition } from '../search/conditions.js';
import { chosenConditions, withoutCondition } from '../search/chosen-conditions.js';
import { withCondition } from '../search/conditions.js';
import {
  conditionCriteria,
  criteriaIn,
  criteriaParameters,
  criteriaTexts,
  filterConditions,
  type Criteria,
} from '../search/filter.js';
import { unknownParameters } from '../search/unknown-parameters.js';
import { filterPairs, readLiveFilters, type LiveFilters } from './live-query.js';

/** The view has the time of now. */
const OF_LIVE = { from: () => false, to: () => false };

/** The filters of the view as the API has them, without those that it does not know. `text`: as in the address. */
export function chartParameters(text: string): Parameters {
  return criteriaParameters(criteriaIn(new URLSearchParams(text)));
}

/** All filters of the view. */
export function allConditions(filters: LiveFilters): readonly Condition[] {
  return chosenConditions(criteriaIn(parameters(filterPairs(filters))));
}

/** Filters that have no chips of their own. */
export function furtherConditions({ others }: LiveFilters): readonly Condition[] {
  return chosenConditions(criteriaIn(parameters(others)));
}

/** Those that the list does not have: its rows do not tell. */
export function chartConditions(filters: LiveFilters): readonly Condition[] {
  return furtherConditions(filters).filter(({ name }) => name !== 'site');
}

/** Parameters without an effect, as `name=value`. */
export function unknownInLive({ others, unknown }: LiveFilters): readonly string[] {
  return [
    ...unknown.map(([name, value]) => `${name}=${value}`),
    ...unknownParameters(parameters(others).toString(), OF_LIVE),
  ];
}

export function liveFiltersWith(filters: LiveFilters, added: Condition): LiveFilters {
  const criteria = criteriaIn(parameters(filterPairs(filters)));
  return filtersOfCriteria({
    ...criteria,
    ...conditionCriteria(withCondition(filterConditions(criteria), added)),
  });
}

export function liveFiltersWithout(filters: LiveFilters, removed: Condition): LiveFilters {
  return filtersOfCriteria(withoutCondition(criteriaIn(parameters(filterPairs(filters))), removed));
}

function filtersOfCriteria(criteria: Criteria): LiveFilters {
  return readLiveFilters(criteriaTexts(criteria));
}

function parameters(pairs: readonly (readonly [string, string])[]): URLSearchParams {
  return new URLSearchParams(pairs.map(([name, value]) => [name, value]));
}
