import type { IdentityHiding } from '@ringdown/identity-hiding';
import { hiddenParameters } from '../api/saved-search-views.js';
import { isoTime } from '../calls/report-source.js';
import type { SearchParameters } from '../store/saved-searches.js';
import type { AlertRuleContent } from './alert-rule.js';
import { isOfFeeds } from './measures.js';
import { hiddenScope, type AlertScope } from './alert-scope.js';

/** Makes links to the calls behind an alert, in the console. They have tokens in place of users. */
export class AlertLinks {
  constructor(
    private readonly hiding: Pick<IdentityHiding, 'field'>,
    /** What absolute URLs start with. */
    private readonly origin: string,
  ) {}

  /** `at`: of the measurement, milliseconds since 1970. */
  of({ measure, search, windowSeconds }: AlertRuleContent, scope: AlertScope, at: number): string {
    if (isOfFeeds(measure)) return `${this.origin}/console/feeds`;
    const times = { from: isoTime(at - windowSeconds * 1_000), to: isoTime(at) };
    const bad: SearchParameters = measure === 'badCalls' && search['verdict'] === undefined ? { verdict: 'bad' } : {};
    const scoped = measuredScope(hiddenScope(this.hiding, scope));
    const parameters = { ...hiddenParameters(this.hiding, search), ...scoped, ...bad, ...times };
    const query = new URLSearchParams(
      Object.entries(parameters).flatMap(([name, value]) =>
        [value].flat().map((text): [string, string] => [name, text]),
      ),
    );
    return `${this.origin}/console/calls?${query.toString()}`;
  }
}

/** Calls are found by `address`, which may be a subnet. */
function measuredScope({ subnet, ...scope }: AlertScope): AlertScope {
  return subnet === undefined ? scope : { ...scope, address: subnet };
}
