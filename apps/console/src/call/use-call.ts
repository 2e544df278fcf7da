import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Api } from '../api/api.js';
import type { CallMetrics, CallWithRecords, TimelineItem, TimelinePage } from '../api/answers.js';
import { callSegment } from '../api/call-segment.js';
import { isInProgress } from '../api/calls.js';
import { listPages } from '../api/pages.js';
import { serverClock } from '../api/server-clock.js';
import { useServices } from '../services/services.js';

const ASK_EVERY = 5_000;
const TIMELINE_PAGE = 200;
const MOST_TIMELINE_PAGES = 10;

interface KnownCall {
  readonly call: UseQueryResult<CallWithRecords>;
  readonly timeline: UseQueryResult<TimelinePage>;
  readonly metrics: UseQueryResult<CallMetrics>;
}

/** A call, its history and the reports on its streams; the last two are requested again when the call has changed. */
export function useCall(callId: string): KnownCall {
  const { api } = useServices();
  const path = `/api/calls/${callSegment(callId)}`;
  const call = useQuery({
    queryKey: ['call', callId],
    queryFn: ({ signal }) => api.get<CallWithRecords>(path, {}, signal),
    refetchInterval: ({ state }) => (state.data !== undefined && mayChange(state.data) ? ASK_EVERY : false),
  });
  const { data } = call;
  const timeline = useQuery({
    queryKey: ['timeline', callId, data?.version],
    queryFn: ({ signal }) => wholeTimeline(api, path, signal),
    enabled: data !== undefined,
    placeholderData: keepPreviousData,
  });
  const metrics = useQuery({
    queryKey: ['metrics', callId, data?.version],
    queryFn: ({ signal }) => api.get<CallMetrics>(`${path}/metrics`, {}, signal),
    enabled: data !== undefined && data.quality.length > 0,
    placeholderData: keepPreviousData,
  });
  return { call, timeline, metrics };
}

/** All records as one page, up to 2,000. */
async function wholeTimeline(api: Api, path: string, signal: AbortSignal): Promise<TimelinePage> {
  const items: TimelineItem[] = [];
  let next: TimelinePage['next'] = null;
  const query = { limit: TIMELINE_PAGE };
  const pages = listPages<TimelineItem>(api, { path: `${path}/timeline`, query, most: MOST_TIMELINE_PAGES, signal });
  for await (const page of pages) {
    items.push(...page.items);
    next = page.next;
  }
  return { items, next };
}

/** While the call is in progress, and until no more reports are expected. */
export function mayChange({ state, settlesAt }: CallWithRecords): boolean {
  return isInProgress(state) || (settlesAt !== null && Date.parse(settlesAt) > serverClock.now() - ASK_EVERY);
}
