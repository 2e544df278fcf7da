import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { Router } from 'wouter';
import { ApiError, type Api } from '../api/api.js';
import type { Session } from '../sign-in/session.js';
import { SignInPage } from '../sign-in/sign-in-page.js';
import { ServicesContext, useSessionState } from './services.js';
import { Shell } from './shell.js';

const RETRIES = 3;

/** Answers of one person are not shown to the next: each session has its own. */
function newQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < RETRIES && error instanceof ApiError && error.isPassing,
        staleTime: 5_000,
      },
    },
  });
}

export function App({ session, api }: { readonly session: Session; readonly api: Api }): ReactNode {
  const state = useSessionState(session);
  const services = useMemo(() => ({ session, api }), [session, api]);
  const token = 'token' in state ? state.token : undefined;
  const queryClient = useMemo(() => (token === undefined ? undefined : newQueryClient()), [token]);
  return (
    <ServicesContext value={services}>
      {queryClient === undefined || !('token' in state) ? (
        <SignInPage session={session} expired={'because' in state && state.because === 'expired'} />
      ) : (
        <QueryClientProvider client={queryClient}>
          <Router base="/console">
            <Shell />
          </Router>
        </QueryClientProvider>
      )}
    </ServicesContext>
  );
}
