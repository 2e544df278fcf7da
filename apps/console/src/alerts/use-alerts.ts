import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import type {
  AlertPage,
  AlertPreview,
  AlertReceiverList,
  AlertRule,
  AlertRuleContent,
  AlertTest,
  AlertWithNotices,
} from '../api/answers.js';
import type { Query } from '../api/query-text.js';
import { useServices } from '../services/services.js';

const RULES = '/api/alert-rules';
const RULE_LIST = ['alert-rules'];
const PAGE = 50;
const REFETCH_MS = 10_000;

export function rulePath(id: string): string {
  return `${RULES}/${encodeURIComponent(id)}`;
}

function ruleKey(id: string): QueryKey {
  return ['alert-rule', id];
}

export function useRules(): UseQueryResult<readonly AlertRule[]> {
  const { api } = useServices();
  return useQuery({
    queryKey: RULE_LIST,
    queryFn: async ({ signal }) => (await api.get<{ items: readonly AlertRule[] }>(RULES, {}, signal)).items,
    refetchInterval: REFETCH_MS,
  });
}

/** Read again only on request: what is typed into the form must not be lost. */
export function useRule(id: string): UseQueryResult<AlertRule> {
  const { api } = useServices();
  return useQuery({
    queryKey: ruleKey(id),
    queryFn: ({ signal }) => api.get<AlertRule>(rulePath(id), {}, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export function useReceivers(): UseQueryResult<AlertReceiverList['items']> {
  const { api } = useServices();
  return useQuery({
    queryKey: ['alert-receivers'],
    queryFn: async ({ signal }) => (await api.get<AlertReceiverList>('/api/alert-receivers', {}, signal)).items,
  });
}

/** `isWatched`: also while the page is hidden. */
export function useAlerts(query: Query, isWatched = false): UseQueryResult<AlertPage> {
  const { api } = useServices();
  return useQuery({
    queryKey: ['alerts', query],
    queryFn: ({ signal }) => api.get<AlertPage>('/api/alerts', { limit: PAGE, ...query }, signal),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
    refetchIntervalInBackground: isWatched,
  });
}

/** One alert, with what was sent about it. */
export function useAlert(id: string): UseQueryResult<AlertWithNotices> {
  const { api } = useServices();
  return useQuery({
    queryKey: ['alert', id],
    queryFn: ({ signal }) => api.get<AlertWithNotices>(`/api/alerts/${encodeURIComponent(id)}`, {}, signal),
    refetchInterval: REFETCH_MS,
  });
}

export interface RuleToSave {
  readonly content: AlertRuleContent;
  /** Undefined for a new rule. */
  readonly before?: Pick<AlertRule, 'id' | 'etag'>;
}

/** Creates or replaces a rule; the result is the new state. */
export function useSaveRule(): UseMutationResult<AlertRule, Error, RuleToSave> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ content, before }) => {
      const answer =
        before === undefined
          ? await api.open(RULES, { method: 'POST', body: content })
          : await api.open(rulePath(before.id), { method: 'PUT', body: content, headers: { 'if-match': before.etag } });
      // Of the shape that docs/openapi.yaml gives this path; server and console are of one version.
      const rule: AlertRule = await answer.json();
      return rule;
    },
    onSuccess: (rule) => {
      queries.setQueryData(ruleKey(rule.id), rule);
      return queries.invalidateQueries({ queryKey: RULE_LIST });
    },
  });
}

export function useRemoveRule(): UseMutationResult<void, Error, Pick<AlertRule, 'id' | 'etag'>> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, etag }) => {
      await api.open(rulePath(id), { method: 'DELETE', headers: { 'if-match': etag } });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: RULE_LIST }),
  });
}

/** What a rule would have raised in the last week. */
export function usePreview(): UseMutationResult<AlertPreview, Error, AlertRuleContent> {
  const { api } = useServices();
  return useMutation({
    mutationFn: async (body) => {
      const answer = await api.open(`${RULES}/preview`, { method: 'POST', body });
      // As above.
      const preview: AlertPreview = await answer.json();
      return preview;
    },
  });
}

/** Sends a test notice to each receiver of the stored rule. */
export function useTestRule(id: string): UseMutationResult<AlertTest['items'], Error, void> {
  const { api } = useServices();
  return useMutation({
    mutationFn: async () => {
      const answer = await api.open(`${rulePath(id)}/test`, { method: 'POST' });
      // As above.
      const test: AlertTest = await answer.json();
      return test.items;
    },
  });
}
