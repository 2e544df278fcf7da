import { useEffect, useMemo, useState, type ComponentType, type ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useServices } from '../services/services.js';
import { filled } from '../parts/filled.js';
import { formatNumber } from '../parts/format.js';
import { EmptyNote, ErrorNote } from '../parts/notes.js';
import { addressText } from '../parts/time/period.js';
import { useLatePart } from '../parts/use-late-part.js';
import { useRefusal } from '../search/use-refusal.js';
import { texts } from '../texts/live.js';
import { texts as searchTexts } from '../texts/search.js';
import { arrangeRows } from './arranged-rows.js';
import { ArrangementFields } from './arrangement-fields.js';
import { CallList } from './call-list.js';
import { FacetBar } from './facet-bar.js';
import { countFacets, filterByFacets, toggleFacet } from './facets.js';
import type { LiveStatus } from './follow-calls.js';
import {
  chosenSite,
  filterPairs,
  isNarrowed,
  liveHref,
  NO_FILTERS,
  readLiveQuery,
  type LiveQuery,
} from './live-query.js';
import styles from './live-view.module.css';
import { LOAD, LoadCharts } from './load-charts.js';
import type { MoreFiltersProps } from './more-filters.js';
import { useLiveCalls } from './use-live-calls.js';

/** Calls in progress as they start, change and end; bad ones first. Filters, order and pause are in the address. */
export function LiveView(): ReactNode {
  const { api } = useServices();
  const [, navigate] = useLocation();
  useSearch();
  // Read from the address itself, because the router decodes it only partly.
  const { search } = location;
  const [isAdding, setAdding] = useState(false);
  const query = useMemo(() => readLiveQuery(search), [search]);
  const { facets, sort, group, isPaused } = query;
  const refusal = useRefusal(LOAD);
  const change = (changed: Partial<LiveQuery>): void => navigate(liveHref({ ...query, ...changed }), { replace: true });
  const { status, snapshot, isKnown } = useLiveCalls(api, isPaused);
  const counts = useMemo(() => countFacets(snapshot.rows, snapshot.unlisted), [snapshot]);
  const site = chosenSite(query);
  const rows = useMemo(() => filterByFacets(snapshot.rows, facets, site), [snapshot, facets, site]);
  const items = useMemo(() => arrangeRows(rows, sort, group), [rows, sort, group]);
  const bad = counts.verdicts.get('bad') ?? 0;
  const narrowed = isNarrowed(query);
  const missing = snapshot.inProgress - snapshot.listed;
  useTabTitle(bad, isKnown ? snapshot.inProgress : undefined);

  return (
    <div className={styles['view']}>
      <section className={styles['head']} aria-label={texts.overview}>
        <div className={`card ${styles['summary']}`}>
          <div className={styles['title']}>
            <h1>
              {filled(
                (shown: string) => texts.inProgress(snapshot.inProgress, shown),
                <span className={styles['total']}>{isKnown ? formatNumber(snapshot.inProgress) : '–'}</span>,
              )}
            </h1>
            <StatusMark status={status} paused={isPaused} />
            <button
              className="button"
              type="button"
              aria-pressed={isPaused}
              onClick={() => change({ isPaused: !isPaused })}
            >
              {isPaused ? texts.resume : texts.pause}
            </button>
          </div>
          <FacetBar
            counts={isKnown ? counts : undefined}
            facets={facets}
            onToggle={(kind, value) => change({ facets: toggleFacet(facets, kind, value) })}
          />
          <ArrangementFields sort={sort} group={group} onChange={change}>
            <button
              className="button"
              type="button"
              aria-expanded={isAdding}
              onClick={() => setAdding((before) => !before)}
            >
              {searchTexts.moreFilters}
            </button>
          </ArrangementFields>
          <LateFilters filters={query} refusal={refusal} isAdding={isAdding} onChange={change} />
        </div>
        <LoadCharts filters={addressText(filterPairs(query))} />
      </section>
      <section className={`card ${styles['list']}`} aria-label={texts.calls}>
        {items.length > 0 ? (
          <CallList items={items} />
        ) : (
          <Nothing status={status} isKnown={isKnown} isNarrowed={narrowed} onClear={() => change(NO_FILTERS)} />
        )}
      </section>
      <footer className={styles['foot']}>
        {narrowed && `${texts.shown(rows.length)} `}
        {missing > 0 && texts.notListed(missing)}
        <span className="unseen" role="status">
          {bad > 0 && texts.badInProgress(bad)}
        </span>
      </footer>
    </div>
  );
}

const loadFilters = async (): Promise<ComponentType<MoreFiltersProps>> =>
  (await import('./more-filters.js')).MoreFilters;

/** Loaded when there are some: their names, values and suggestions are not part of the first view. */
function LateFilters(props: MoreFiltersProps): ReactNode {
  const { filters, refusal, isAdding } = props;
  const { part: MoreFilters, hasFailed } = useLatePart(
    loadFilters,
    isAdding || refusal !== undefined || filters.others.length > 0 || filters.unknown.length > 0,
  );
  if (hasFailed) return <p role="alert">{texts.filtersFailed}</p>;
  return MoreFilters === undefined ? null : <MoreFilters {...props} />;
}

/** The tab tells how many calls are bad while another tab is in front; without a number until it is known. */
function useTabTitle(bad: number, inProgress: number | undefined): void {
  const calls = inProgress === undefined ? texts.live : texts.callCount(inProgress);
  const title = bad > 0 ? texts.tabTitleWithBad(formatNumber(bad), calls) : texts.tabTitle(calls);
  useEffect(() => void (document.title = title), [title]);
  useEffect(() => () => void (document.title = 'Ringdown'), []);
}

function StatusMark({ status, paused }: { readonly status: LiveStatus; readonly paused: boolean }): ReactNode {
  const kind = paused && status.kind === 'live' ? 'paused' : status.kind;
  return (
    <span
      className={`${styles['status']} ${styles[kind]}`}
      role="status"
      title={'reason' in status ? status.reason : undefined}
    >
      {texts.statuses[kind]}
    </span>
  );
}

interface NothingProps {
  readonly status: LiveStatus;
  readonly isKnown: boolean;
  readonly isNarrowed: boolean;
  readonly onClear: () => void;
}

function Nothing({ status, isKnown, isNarrowed, onClear }: NothingProps): ReactNode {
  if ('reason' in status) return <ErrorNote error={new Error(status.reason)} />;
  if (!isKnown) return <div className={styles['skeleton']} />;
  if (isNarrowed) {
    return (
      <EmptyNote title={texts.noMatches}>
        <button className="button" type="button" onClick={onClear}>
          {texts.showAll}
        </button>
      </EmptyNote>
    );
  }
  return <EmptyNote title={texts.noCalls}>{filled(texts.noCallsAdvice, <code>npm run demo</code>)}</EmptyNote>;
}
