import { useMemo, useState, type ReactNode } from 'react';
import { useServices } from '../services/services.js';
import { formatCount, formatNumber } from '../parts/format.js';
import { EmptyNote, ErrorNote } from '../parts/notes.js';
import { CallList } from './call-list.js';
import { FacetBar } from './facet-bar.js';
import { countFacets, filterByFacets, NO_FACETS, toggleFacet, type Facets } from './facets.js';
import type { LiveStatus } from './follow-calls.js';
import styles from './live-view.module.css';
import { LoadCharts } from './load-charts.js';
import { useLiveCalls } from './use-live-calls.js';

/** Calls in progress as they start, change and end; bad ones first. */
export function LiveView(): ReactNode {
  const { api } = useServices();
  const [paused, setPaused] = useState(false);
  const [facets, setFacets] = useState<Facets>(NO_FACETS);
  const { status, snapshot } = useLiveCalls(api, paused);
  const counts = useMemo(() => countFacets(snapshot.rows), [snapshot]);
  const rows = useMemo(() => filterByFacets(snapshot.rows, facets), [snapshot, facets]);
  const bad = counts.verdicts.get('bad') ?? 0;
  const isNarrowed = facets.states.size + facets.verdicts.size + facets.frontEnds.size > 0;
  const missing = snapshot.inProgress - snapshot.listed;

  return (
    <div className={styles['view']}>
      <section className={styles['head']} aria-label="Overview">
        <div className={`card ${styles['summary']}`}>
          <div className={styles['title']}>
            <h1>
              <span className={styles['total']}>{formatNumber(snapshot.inProgress)}</span>{' '}
              {snapshot.inProgress === 1 ? 'call' : 'calls'} in progress
            </h1>
            <StatusMark status={status} paused={paused} />
            <button className="button" type="button" aria-pressed={paused} onClick={() => setPaused(!paused)}>
              {paused ? 'Go on' : 'Hold'}
            </button>
          </div>
          <FacetBar
            counts={counts}
            facets={facets}
            onToggle={(kind, value) => setFacets(toggleFacet(facets, kind, value))}
          />
        </div>
        <LoadCharts />
      </section>
      <section className={`card ${styles['list']}`} aria-label="Calls">
        {rows.length > 0 ? (
          <CallList rows={rows} />
        ) : (
          <Nothing status={status} isNarrowed={isNarrowed} onClear={() => setFacets(NO_FACETS)} />
        )}
      </section>
      <footer className={styles['foot']}>
        {isNarrowed && `${formatCount(rows.length, 'call')} shown. `}
        {missing > 0 && `${formatCount(missing, 'call')} more in progress, not listed yet.`}
        <span className="unseen" role="status">
          {bad > 0 && `${formatCount(bad, 'bad call')} in progress`}
        </span>
      </footer>
    </div>
  );
}

function StatusMark({ status, paused }: { readonly status: LiveStatus; readonly paused: boolean }): ReactNode {
  const kind = paused && status.kind === 'live' ? 'held' : status.kind;
  const words = {
    connecting: 'connecting …',
    live: 'live',
    held: 'held',
    reconnecting: 'reconnecting …',
    refused: 'stopped',
  };
  return (
    <span
      className={`${styles['status']} ${styles[kind]}`}
      role="status"
      title={'reason' in status ? status.reason : undefined}
    >
      {words[kind]}
    </span>
  );
}

interface NothingProps {
  readonly status: LiveStatus;
  readonly isNarrowed: boolean;
  readonly onClear: () => void;
}

function Nothing({ status, isNarrowed, onClear }: NothingProps): ReactNode {
  if ('reason' in status) return <ErrorNote error={new Error(status.reason)} />;
  if (status.kind === 'connecting') return <div className={styles['skeleton']} />;
  if (isNarrowed) {
    return (
      <EmptyNote title="No call in progress is like that.">
        <button className="button" type="button" onClick={onClear}>
          Show all
        </button>
      </EmptyNote>
    );
  }
  return (
    <EmptyNote title="No calls in progress.">
      They appear here by themselves. <code>npm run demo</code> makes some.
    </EmptyNote>
  );
}
