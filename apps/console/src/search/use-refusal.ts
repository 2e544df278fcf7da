import { notifyManager, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useCallback, useSyncExternalStore } from 'react';
import { ApiError } from '../api/api.js';

/** Filters that no calls can have, or that this user may not search for. */
const CODES: ReadonlySet<string> = new Set(['bad-parameter', 'may-search-tokens-only']);

/** Whether the API refuses what was asked: asking again does not help. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && CODES.has(error.code);
}

/** Why the API refuses the filters of a view, which all its queries with this key have; undefined if it does not. */
export function useRefusal(queryKey: QueryKey): ApiError | undefined {
  const queries = useQueryClient().getQueryCache();
  const subscribe = useCallback(
    (onChange: () => void) => queries.subscribe(notifyManager.batchCalls(onChange)),
    [queries],
  );
  return useSyncExternalStore(subscribe, () => {
    const shown = queries.findAll({ queryKey, type: 'active' });
    return shown.map(({ state }): unknown => state.error).find(isRefusal);
  });
}
