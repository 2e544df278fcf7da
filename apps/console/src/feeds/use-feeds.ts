import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { Api } from '../api/api.js';
import type {
  FrontEnd,
  FailingPeerList,
  FrontEndHealth,
  RejectedRecord,
  RejectedRecords,
  RunningServices,
  SipFailureList,
} from '../api/answers.js';
import { listPages } from '../api/pages.js';
import { useServices } from '../services/services.js';
import type { Narrowed } from './feeds-query.js';

const OFTEN_MS = 5_000;
const SELDOM_MS = 15_000;
const PAGE = 200;
/** More front ends than a person reads. */
const MAX_PAGES = 5;
const REJECTED = 100;
const SIP_FAILURES = 50;

export interface FrontEnds {
  readonly items: readonly FrontEnd[];
  readonly areMore: boolean;
}

export function useFrontEnds(): UseQueryResult<FrontEnds> {
  const { api } = useServices();
  return useQuery({
    queryKey: ['front-ends'],
    queryFn: ({ signal }) => frontEnds(api, signal),
    refetchInterval: OFTEN_MS,
  });
}

/** One front end; its activity is that of the last day, without shorter gaps than a quarter of an hour. */
export function useFrontEnd(name: string): UseQueryResult<FrontEndHealth> {
  const { api } = useServices();
  return useQuery({
    queryKey: ['front-end', name],
    queryFn: ({ signal }) => api.get<FrontEndHealth>(`/api/front-ends/${encodeURIComponent(name)}`, {}, signal),
    refetchInterval: SELDOM_MS,
  });
}

export function useRunningServices(): UseQueryResult<RunningServices> {
  const { api } = useServices();
  return useQuery({
    queryKey: ['services'],
    queryFn: ({ signal }) => api.get<RunningServices>('/api/services', {}, signal),
    refetchInterval: OFTEN_MS,
  });
}

export function useRejected({ query }: Narrowed): UseQueryResult<readonly RejectedRecord[]> {
  const { api } = useServices();
  return useQuery({
    queryKey: ['rejected', query],
    queryFn: async ({ signal }) => {
      return (await api.get<RejectedRecords>('/api/rejected-records', { ...query, limit: REJECTED }, signal)).items;
    },
    refetchInterval: SELDOM_MS,
  });
}

/** Of the last 24 hours if no other time is given, the most frequent first. */
export function useSipFailures({ query: narrowed }: Narrowed): UseQueryResult<SipFailureList> {
  const { api } = useServices();
  const { code: _code, ...query } = narrowed;
  return useQuery({
    queryKey: ['sip-failures', query],
    queryFn: ({ signal }) => api.get<SipFailureList>('/api/sip-failures', { ...query, limit: SIP_FAILURES }, signal),
    refetchInterval: SELDOM_MS,
  });
}

/** Of the last hour. */
export function useFailingPeers({ query: { frontEnd } }: Narrowed): UseQueryResult<FailingPeerList> {
  const { api } = useServices();
  const query = frontEnd === undefined ? {} : { frontEnd };
  return useQuery({
    queryKey: ['failing-peers', query],
    queryFn: ({ signal }) =>
      api.get<FailingPeerList>('/api/sip-failures/peers', { ...query, limit: SIP_FAILURES }, signal),
    refetchInterval: SELDOM_MS,
  });
}

async function frontEnds(api: Api, signal: AbortSignal): Promise<FrontEnds> {
  const items: FrontEnd[] = [];
  let areMore = false;
  const list = { path: '/api/front-ends', query: { limit: PAGE }, most: MAX_PAGES, signal };
  for await (const page of listPages<FrontEnd>(api, list)) {
    items.push(...page.items);
    areMore = page.next !== null;
  }
  return { items, areMore };
}
