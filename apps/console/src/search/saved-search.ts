import type { SearchParameters } from '../api/answers.js';
import { queryText } from '../api/query-text.js';
import type { Parameters } from './conditions.js';
import { criteriaParameters, filled, parseFilter, filterAddress, type Filter } from './filter.js';

/** What is saved of a search, for the API; a relative period also if it is the usual one, which may change. */
export function parametersToSave(filter: Filter): Parameters {
  const { span, from, to, sort } = filter;
  return filled({ ...(span === undefined ? { from, to } : { last: span }), ...criteriaParameters(filter), sort });
}

/** The address of a saved search, with its question mark: the view has the names of the API. */
export function searchOfSaved(parameters: SearchParameters): string {
  const search = filterAddress(parseFilter(queryText(parameters)));
  return search === '' ? '' : `?${search}`;
}
