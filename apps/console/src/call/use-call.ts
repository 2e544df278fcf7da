import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { CallMetrics, CallWithRecords, TimelinePage } from '../api/answers.js';
import { isInProgress } from '../api/calls.js';
import { serverClock } from '../api/server-clock.js';
import { useServices } from '../services/services.js';

const ASK_EVERY = 5_000;

interface KnownCall {
  readonly call: UseQueryResult<CallWithRecords>;
  readonly timeline: UseQueryResult<TimelinePage>;
  readonly metrics: UseQueryResult<CallMetrics>;
}

/** A call, its history and the reports on its streams; the last two are requested again when the call has changed. */
export function useCall(callId: string): KnownCall {
  const { api } = useServices();
  const path = `/api/calls/${encodeURIComponent(callId)}`;
  const call = useQuery({
    queryKey: ['call', callId],
    queryFn: ({ signal }) => api.get<CallWithRecords>(path, {}, signal),
    refetchInterval: ({ state }) => (state.data !== undefined && mayChange(state.data) ? ASK_EVERY : false),
  });
  const { data } = call;
  const timeline = useQuery({
    queryKey: ['timeline', callId, data?.version],
    queryFn: ({ signal }) => api.get<TimelinePage>(`${path}/timeline`, { limit: 200 }, signal),
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

/** While the call is in progress, and until no more reports are expected. */
function mayChange({ state, settlesAt }: CallWithRecords): boolean {
  return isInProgress(state) || (settlesAt !== null && Date.parse(settlesAt) > serverClock.now() - ASK_EVERY);
}
