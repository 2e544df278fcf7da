import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Call, FrontEnd, RunningServices } from '../api/answers.js';
import type { Page } from '../api/pages.js';
import { useServices } from '../services/services.js';

const OFTEN_MS = 2_000;

/** What has arrived so far. */
export interface FirstArrivals {
  readonly frontEnd: FrontEnd | undefined;
  readonly call: Call | undefined;
}

/** Polls until there is a call. */
export function useFirstCall(): UseQueryResult<FirstArrivals> {
  const { api } = useServices();
  return useQuery({
    queryKey: ['first-call'],
    queryFn: async ({ signal }) => {
      const [frontEnds, calls] = await Promise.all([
        api.get<Page<FrontEnd>>('/api/front-ends', { limit: 1 }, signal),
        api.get<Page<Call>>('/api/calls', { limit: 1 }, signal),
      ]);
      return { frontEnd: frontEnds.items[0], call: calls.items[0] };
    },
    refetchInterval: ({ state }) => (state.data?.call === undefined ? OFTEN_MS : false),
  });
}

/** Null if the operator has not set it. */
export function useFeedAddress(): UseQueryResult<string | null> {
  const { api } = useServices();
  return useQuery({
    queryKey: ['feed-address'],
    queryFn: async ({ signal }) => (await api.get<RunningServices>('/api/services', {}, signal)).feedAddress,
  });
}
