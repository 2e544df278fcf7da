import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { Capture, Captures } from '../api/answers.js';
import { useServices } from '../services/services.js';

const PATH = '/api/captures';
export const CAPTURES = ['captures'];
const READING_MS = 1_000;
const IDLE_MS = 15_000;

/** The latest captures of all operators; read often while one is being read. */
export function useCaptures(): UseQueryResult<readonly Capture[]> {
  const { api } = useServices();
  return useQuery({
    queryKey: CAPTURES,
    queryFn: async ({ signal }) => (await api.get<Captures>(PATH, {}, signal)).items,
    refetchInterval: ({ state }) => (state.data?.some(({ state: of }) => of === 'reading') ? READING_MS : IDLE_MS),
  });
}

/** Stops reading a capture, and forgets it. */
export function useRemoveCapture(): UseMutationResult<void, Error, string> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id) => {
      await api.open(`${PATH}/${encodeURIComponent(id)}`, { method: 'DELETE' });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: CAPTURES }),
  });
}
