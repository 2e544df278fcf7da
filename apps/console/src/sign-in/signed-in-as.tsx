import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { ApiError, type Api } from '../api/api.js';
import { SignedInContext, useServices } from '../app/services.js';
import { ErrorNote, LoadingNote } from '../parts/notes.js';

interface SignedInAsProps {
  readonly username: string;
  readonly children: ReactNode;
}

/** Finds out what whoever is signed in may see, before anything is offered. */
export function SignedInAs({ username, children }: SignedInAsProps): ReactNode {
  const { api } = useServices();
  const { data, error, refetch } = useQuery({
    queryKey: ['roles'],
    queryFn: ({ signal }) => rolesOf(api, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const signedIn = useMemo(() => (data === undefined ? undefined : { username, roles: data }), [username, data]);
  if (signedIn !== undefined) return <SignedInContext value={signedIn}>{children}</SignedInContext>;
  return error === null ? <LoadingNote /> : <ErrorNote error={error} retry={() => void refetch()} />;
}

/** The interfaces tell nobody's roles; whether the query API answers does. */
async function rolesOf(api: Api, signal: AbortSignal): Promise<readonly string[]> {
  try {
    await api.get('/api/front-ends', { limit: 1 }, signal);
    return ['operator'];
  } catch (error) {
    if (error instanceof ApiError && error.status === 403) return [];
    throw error;
  }
}
