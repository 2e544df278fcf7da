import type { SearchParameters } from '../api/answers.js';
import { queryText } from '../api/query-text.js';
import type { Parameters } from './conditions.js';
import { criteriaOf, filled, filterOf, searchOf, type Filter } from './filter.js';

/** All that is kept, for the API. */
const BEGINNING = '1970-01-01T00:00:00.000Z';

/** What is saved of a search: a relative period is not, because the API has only fixed ones. */
export function parametersToSave(filter: Filter): Parameters {
  const { span, from, to, sort } = filter;
  const fixed = span === undefined ? { from, to } : span === 'all' ? { from: BEGINNING } : {};
  return filled({ ...fixed, ...criteriaOf(filter), sort });
}

/** The address of a saved search, with its question mark: the view has the names of the API. */
export function searchOfSaved(parameters: SearchParameters): string {
  const search = searchOf(filterOf(queryText(parameters)));
  return search === '' ? '' : `?${search}`;
}
