import { AUDIO } from '@ringdown/call-catalogue/choices';
import type { IdentityHiding } from '@ringdown/identity-hiding';
import { hiddenSearch } from '../../search/saved/saved-search-views.js';
import { isoTime } from '../../calls/streams/report-source.js';
import type { SearchParameters } from '../../search/saved/saved-searches.js';
import type { RuleToStore } from '../rules/alert-rules.js';
import { isOfFeeds } from '../deciding/measures.js';
import { hiddenScope, type AlertScope } from '../rules/alert-scope.js';

/** Makes links to the calls or problems behind an alert, in the console. They have tokens in place of users. */
export class AlertLinks {
  constructor(
    private readonly hiding: Pick<IdentityHiding, 'field'>,
    /** What absolute URLs start with. */
    private readonly origin: string,
  ) {}

  /** `at`: of the measurement, milliseconds since 1970. */
  of({ measure, search, revealed, windowSeconds }: RuleToStore, scope: AlertScope, at: number): string {
    const { parameters: shown } = hiddenSearch(this.hiding, { parameters: search, revealed });
    // It is about now: the view shows how long each feed has been silent.
    if (measure === 'silentFeed') return `${this.origin}/console/feeds`;
    const times = { from: isoTime(at - windowSeconds * 1_000), to: isoTime(at) };
    if (isOfFeeds(measure)) {
      // The view has no filter for what is left out.
      const { 'not.frontEnd': _leftOut, ...feeds } = shown;
      const { reason, ...feed } = hiddenScope(this.hiding, scope);
      return this.linkTo('feeds', { ...feeds, ...feed, ...(reason === undefined ? {} : { code: reason }), ...times });
    }
    const bad: SearchParameters = measure === 'badCalls' && search['verdict'] === undefined ? { verdict: 'bad' } : {};
    const silent: SearchParameters = measure === 'noAudio' && search['audio'] === undefined ? { audio: AUDIO } : {};
    const scoped = measuredScope(hiddenScope(this.hiding, scope));
    return this.linkTo('calls', { ...shown, ...scoped, ...bad, ...silent, ...times });
  }

  private linkTo(view: 'calls' | 'feeds', parameters: SearchParameters): string {
    const query = new URLSearchParams(
      Object.entries(parameters).flatMap(([name, value]) =>
        [value].flat().map((text): [string, string] => [name, text]),
      ),
    );
    return `${this.origin}/console/${view}?${query.toString()}`;
  }
}

/** Calls are found by `address`, which may be a subnet. */
function measuredScope({ subnet, ...scope }: AlertScope): AlertScope {
  return subnet === undefined ? scope : { ...scope, address: subnet };
}
