import { excludingUploads } from '../../search/filter/call-filter.js';
import type { CallFilters } from '../../search/query/call-filter-query.js';
import { checkSearch, searchQuery } from '../../search/saved/saved-search-input.js';
import type { AlertRuleContent, RuleFilter } from '../../alerts/rules/alert-rule.js';
import { checkSites, ruleOfJson } from './alert-rule-input.js';

/** Reads the stored search of a rule. */
export function ruleFilter(filters: CallFilters): RuleFilter {
  return (search, revealed) => excludingUploads(filters.of(searchQuery(search), revealed));
}

/** Reads rules of a file. Throws a {@link Fault} for one that is wrong, or could not be evaluated. */
export function ruleReader(filters: CallFilters): (json: object) => AlertRuleContent {
  return (json) => {
    const rule = ruleOfJson(json);
    checkSites(rule, filters);
    checkSearch('search', rule.search, (query) => filters.of(query, true));
    return rule;
  };
}
