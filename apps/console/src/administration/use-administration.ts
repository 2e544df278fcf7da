import {
  keepPreviousData,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryKey,
  type UseMutationResult,
  type UseQueryResult,
} from '@tanstack/react-query';
import type { AddedPerson, GeneratedPassword, PeoplePage, PersonAccount, Sessions } from '../api/answers.js';
import type { Query } from '../api/query-text.js';
import { useServices } from '../services/services.js';
import type { PersonContent } from './person-content.js';

/** A person to add (docs/openapi.yaml, `NewPerson`). */
export type NewPerson = PersonContent & { readonly withPassword: boolean };

/** A person and the entity tag of that state, without which nothing is changed. */
export interface ReadPerson {
  readonly account: PersonAccount;
  readonly etag: string;
}

const PEOPLE = '/api/people';
const LISTS = ['accounts'];
const PAGE = 50;
const REFETCH_MS = 15_000;

export function accountApiPath(username: string): string {
  return `${PEOPLE}/${encodeURIComponent(username)}`;
}

export function useAccounts(query: Query): UseQueryResult<PeoplePage> {
  const { api } = useServices();
  return useQuery({
    queryKey: [...LISTS, query],
    queryFn: ({ signal }) => api.get<PeoplePage>(PEOPLE, { ...query, limit: PAGE }, signal),
    placeholderData: keepPreviousData,
  });
}

function accountKey(username: string): QueryKey {
  return ['account', username];
}

function sessionsKey(username: string): QueryKey {
  return ['account-sessions', username];
}

/** Read again only on request: what is typed into the form must not be lost. */
export function useAccount(username: string): UseQueryResult<ReadPerson> {
  const { api } = useServices();
  return useQuery({
    queryKey: accountKey(username),
    queryFn: async ({ signal }) => readPerson(await api.open(accountApiPath(username), { signal })),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

async function readPerson(answer: Response): Promise<ReadPerson> {
  // Of the shape that docs/openapi.yaml gives this path; server and console are of one version.
  const account: PersonAccount = await answer.json();
  return { account, etag: answer.headers.get('etag') ?? '' };
}

export function useAddPerson(): UseMutationResult<AddedPerson, Error, NewPerson> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (body) => {
      const answer = await api.open(PEOPLE, { method: 'POST', body });
      // As above.
      const added: AddedPerson = await answer.json();
      return added;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: LISTS }),
  });
}

export interface Change {
  readonly content: PersonContent;
  readonly etag: string;
}

/** Replaces what a person is, but for the password; the result is the new state. */
export function useChangePerson(username: string): UseMutationResult<ReadPerson, Error, Change> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async ({ content, etag }) => {
      const options = { method: 'PUT', body: content, headers: { 'if-match': etag } } as const;
      return readPerson(await api.open(accountApiPath(username), options));
    },
    onSuccess: (changed) => {
      queries.setQueryData(accountKey(changed.account.username), changed);
      return Promise.all([
        queries.invalidateQueries({ queryKey: LISTS }),
        queries.invalidateQueries({ queryKey: sessionsKey(username) }),
      ]);
    },
  });
}

export function useRemovePerson(username: string): UseMutationResult<void, Error, string> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (etag) => {
      await api.open(accountApiPath(username), { method: 'DELETE', headers: { 'if-match': etag } });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: LISTS }),
  });
}

/** The result is the new password. */
export function useResetPassword(username: string): UseMutationResult<string, Error, string> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (etag) => {
      const answer = await api.open(`${accountApiPath(username)}/password`, {
        method: 'POST',
        headers: { 'if-match': etag },
      });
      // As above.
      const { password }: GeneratedPassword = await answer.json();
      const state = queries.getQueryData<ReadPerson>(accountKey(username));
      if (state !== undefined) {
        const account = { ...state.account, hasPassword: true };
        queries.setQueryData(accountKey(username), { account, etag: answer.headers.get('etag') ?? '' });
      }
      return password;
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionsKey(username) }),
  });
}

/** Ends the binding to the account at the sign-in provider, and all sessions. */
export function useEndBinding(username: string): UseMutationResult<void, Error, void> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      await api.open(`${accountApiPath(username)}/identity`, { method: 'DELETE' });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsKey(username) }),
  });
}

export function useSessionsOf(username: string): UseQueryResult<Sessions['items']> {
  const { api } = useServices();
  return useQuery({
    queryKey: sessionsKey(username),
    queryFn: async ({ signal }) => (await api.get<Sessions>(`${accountApiPath(username)}/sessions`, {}, signal)).items,
    refetchInterval: REFETCH_MS,
  });
}

/** Ends the session with an id, or all. */
export function useEndSessionsOf(username: string): UseMutationResult<void, Error, string | undefined> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (id) => {
      const all = `${accountApiPath(username)}/sessions`;
      await api.open(id === undefined ? all : `${all}/${encodeURIComponent(id)}`, { method: 'DELETE' });
    },
    onSettled: () => queries.invalidateQueries({ queryKey: sessionsKey(username) }),
  });
}
