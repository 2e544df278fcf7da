import {
  useMutation,
  useQuery,
  useQueryClient,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { TrunkLimit, TrunkLimitList } from '../api/answers.js';
import { ApiError } from '../api/api.js';
import { STATISTICS } from '../quality/use-statistics.js';
import { useServices } from '../services/services.js';

const LIMITS = '/api/limits/trunk';
const LIST = ['trunk-limits'];
const REFETCH_MS = 60_000;

function limitPath(trunk: string): string {
  return `${LIMITS}/${encodeURIComponent(trunk)}`;
}

export function useTrunkLimits(enabled: boolean): UseQueryResult<readonly TrunkLimit[]> {
  const { api } = useServices();
  return useQuery({
    queryKey: LIST,
    queryFn: async ({ signal }) => (await api.get<TrunkLimitList>(LIMITS, {}, signal)).items,
    refetchInterval: REFETCH_MS,
    enabled,
  });
}

export interface LimitToSave {
  readonly trunk: string;
  readonly calls: number;
  /** Undefined for a new one. */
  readonly before: TrunkLimit | undefined;
}

export function useSaveLimit(): UseMutationResult<void, Error, LimitToSave> {
  const { api } = useServices();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ trunk, calls, before }) => {
      const headers = before === undefined ? {} : { 'if-match': before.etag };
      await api.open(limitPath(trunk), { method: 'PUT', body: { calls }, headers });
    },
    onSettled: refresh,
  });
}

export function useRemoveLimit(): UseMutationResult<void, Error, TrunkLimit> {
  const { api } = useServices();
  const refresh = useRefresh();
  return useMutation({
    mutationFn: async ({ trunk, etag }) => {
      await api.open(limitPath(trunk), { method: 'DELETE', headers: { 'if-match': etag } });
    },
    onSettled: refresh,
  });
}

/** Reads limits again before a change is reported: a conflict is shown with what is there now. */
function useRefresh(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    void queries.invalidateQueries({ queryKey: STATISTICS });
    await queries.invalidateQueries({ queryKey: LIST });
  };
}

/** Whether another administrator was faster: the state is not the one that was read, or there was none. */
export function isConflict(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 412 || error.status === 428);
}
