import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, type ReactNode } from 'react';
import { useParams, useSearch } from 'wouter';
import { ApiError } from '../api/api.js';
import type { CallWithRecords, TimelinePage } from '../api/answers.js';
import { isInProgress } from '../api/calls.js';
import { serverClock } from '../api/server-clock.js';
import { useServices } from '../services/services.js';
import { EmptyNote, ErrorNote, LoadingNote } from '../parts/notes.js';
import { callIdOf, listOf } from './call-address.js';
import { endingOf } from './call-ending.js';
import { CallHead } from './call-head.js';
import { tabTitleOf } from './call-title.js';
import styles from './call-view.module.css';
import { ErrorsSection } from './errors-section.js';
import { LadderSection } from './ladder-section.js';
import { LinkedSection } from './linked-section.js';
import { PartiesSection } from './parties-section.js';
import { QualitySection } from './quality-section.js';
import { RecordsSection } from './records-section.js';
import { StreamsSection } from './streams-section.js';

const ASK_EVERY = 5_000;

/** Everything known about one call, and why it was bad. */
export function CallView(): ReactNode {
  useParams();
  useSearch();
  const callId = callIdOf(location.pathname);
  const { api } = useServices();
  const path = `/api/calls/${encodeURIComponent(callId)}`;
  const { data, error, refetch } = useQuery({
    queryKey: ['call', callId],
    queryFn: ({ signal }) => api.get<CallWithRecords>(path, {}, signal),
    refetchInterval: ({ state }) => (state.data !== undefined && mayChange(state.data) ? ASK_EVERY : false),
  });
  const timeline = useQuery({
    queryKey: ['timeline', callId, data?.version],
    queryFn: ({ signal }) => api.get<TimelinePage>(`${path}/timeline`, { limit: 200 }, signal),
    enabled: data !== undefined,
    placeholderData: keepPreviousData,
  });
  useEffect(() => {
    if (data === undefined) return undefined;
    document.title = tabTitleOf(data);
    return () => void (document.title = 'Ringdown');
  }, [data]);

  if (data === undefined) {
    if (error instanceof ApiError && error.code === 'no-such-call') {
      return (
        <EmptyNote title="Call not found">
          It may be older than the records that are kept, or the address is incomplete.
        </EmptyNote>
      );
    }
    return error === null ? <LoadingNote /> : <ErrorNote error={error} retry={() => void refetch()} />;
  }
  return (
    <article className={styles['view']}>
      <CallHead call={data} list={listOf(location.search)} />
      {error !== null && <p className={styles['stale']}>{error.message} The page may be out of date.</p>}
      {isToldApart(data) && <ErrorsSection errors={data.errors} />}
      <QualitySection call={data} />
      <PartiesSection call={data} />
      <StreamsSection streams={data.streams} />
      <LadderSection page={timeline.data} error={timeline.error} />
      {data.linked.length > 0 && <LinkedSection linked={data.linked} />}
      <RecordsSection records={data.records} leftOut={data.recordsLeftOut} />
    </article>
  );
}

/** The only error of a failed call is in the banner. */
function isToldApart(call: CallWithRecords): boolean {
  return call.errors.length > (endingOf(call)?.level === 'bad' ? 1 : 0);
}

/** While the call is in progress, and until no more reports are expected. */
function mayChange({ state, settlesAt }: CallWithRecords): boolean {
  return isInProgress(state) || (settlesAt !== null && Date.parse(settlesAt) > serverClock.now() - ASK_EVERY);
}
