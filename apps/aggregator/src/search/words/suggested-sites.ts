import type { Suggestion } from '@ringdown/answers/searches';
import type { SiteSubnet } from '../sites/load-sites.js';
import { foldText } from './search-text.js';

/** Sites with this part in their names, in the form of `foldText`; of how many calls is not counted. */
export function suggestedSites(subnets: readonly SiteSubnet[], part: string): readonly Suggestion[] {
  const names = [...new Set(subnets.map(({ site }) => site))].filter((site) => foldText(site).includes(part));
  return names.toSorted().map((text) => ({ field: 'site', text, calls: null })); // not shown: names of a file
}
