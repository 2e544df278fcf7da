import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { PasswordRules, Sessions } from '../api/answers.js';
import { useServices } from '../services/services.js';

const SESSIONS = ['own-sessions'];
const REFETCH_MS = 15_000;

export interface NewPassword {
  readonly current: string;
  readonly chosen: string;
}

export function usePasswordRules(): UseQueryResult<PasswordRules> {
  const { api } = useServices();
  return useQuery({
    queryKey: ['password-rules'],
    queryFn: ({ signal }) => api.get<PasswordRules>('/api/me/password-rules', {}, signal),
  });
}

export function useOwnSessions(): UseQueryResult<Sessions['items']> {
  const { api } = useServices();
  return useQuery({
    queryKey: SESSIONS,
    queryFn: async ({ signal }) => (await api.get<Sessions>('/api/me/sessions', {}, signal)).items,
    refetchInterval: REFETCH_MS,
  });
}

export function useChangePassword(): UseMutationResult<void, Error, NewPassword> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ current, chosen }) => {
      await api.open('/api/me/password', { method: 'POST', body: { current, new: chosen } });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: SESSIONS }),
  });
}

/** Ends the session with an id, or all others. */
export function useEndSessions(): UseMutationResult<void, Error, string | undefined> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id) => {
      const path = id === undefined ? '/api/me/sessions' : `/api/me/sessions/${encodeURIComponent(id)}`;
      await api.open(path, { method: 'DELETE' });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: SESSIONS }),
  });
}
