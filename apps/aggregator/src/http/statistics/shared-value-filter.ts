import type { CallFilter } from '../../search/filter/call-filter.js';
import { CallFilterQuery, type CallFilters } from '../../search/query/call-filter-query.js';
import type { SharedValue } from '../../store/statistics/call-surroundings.js';

/** Makes the filter that a search by the value has. */
export function sharedValueFilter(filters: CallFilters): (shared: SharedValue) => CallFilter {
  return ({ dimension, value }) => {
    const query = new CallFilterQuery();
    if (dimension === 'site') query.site = value;
    else query[dimension] = [value];
    return filters.of(query, false);
  };
}
