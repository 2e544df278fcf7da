import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import type { Api } from '../api/api.js';
import type { Caller } from '../api/answers.js';
import { SignedInContext, useServices } from '../services/services.js';
import { ErrorNote, LoadingNote } from '../parts/notes.js';

interface UserRolesProps {
  readonly username: string;
  readonly children: ReactNode;
}

/** Fetches the roles of the signed-in user before any view is offered. */
export function UserRoles({ username, children }: UserRolesProps): ReactNode {
  const { api } = useServices();
  const { data, error, refetch } = useQuery({
    queryKey: ['roles'],
    queryFn: ({ signal }) => fetchAdditionalRoles(api, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const signedIn = useMemo(() => (data === undefined ? undefined : { username, roles: data }), [username, data]);
  if (signedIn !== undefined) return <SignedInContext value={signedIn}>{children}</SignedInContext>;
  return error === null ? <LoadingNote /> : <ErrorNote error={error} retry={() => void refetch()} />;
}

/** The additional roles of the user. */
async function fetchAdditionalRoles(api: Api, signal: AbortSignal): Promise<readonly string[]> {
  const { roles } = await api.get<Caller>('/api/me', {}, signal);
  return roles.filter((role) => role !== 'user');
}
