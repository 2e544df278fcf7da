import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { Router } from 'wouter';
import { ApiError, type Api } from '../api/api.js';
import { SignInPage } from '../sign-in/sign-in-page.js';
import { UserRoles } from '../sign-in/user-roles.js';
import type { Session, SingleSignOn } from '../web-interface/index.js';
import { ServicesContext, useSessionState } from '../services/services.js';
import { Shell } from './shell.js';

const RETRIES = 3;

/** One per session, so that the answers for one user are not shown to the next. */
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

interface AppProps {
  readonly session: Session;
  readonly api: Api;
  readonly singleSignOn: SingleSignOn;
  /** A sign-in that goes on since the provider has sent the person back. */
  readonly arrival: Promise<void> | undefined;
}

export function App({ session, api, singleSignOn, arrival }: AppProps): ReactNode {
  const state = useSessionState(session);
  const services = useMemo(() => ({ session, api }), [session, api]);
  const queryClient = useMemo(() => (state.kind === 'signedIn' ? newQueryClient() : undefined), [state]);
  return (
    <ServicesContext value={services}>
      {state.kind === 'signedOut' || queryClient === undefined ? (
        <SignInPage
          session={session}
          expired={state.kind === 'signedOut' && state.expired}
          singleSignOn={singleSignOn}
          arrival={arrival}
        />
      ) : (
        <QueryClientProvider client={queryClient}>
          <UserRoles username={state.username}>
            <Router base="/console">
              <Shell />
            </Router>
          </UserRoles>
        </QueryClientProvider>
      )}
    </ServicesContext>
  );
}
