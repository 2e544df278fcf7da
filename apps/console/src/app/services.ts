import { createContext, use, useSyncExternalStore } from 'react';
import type { Api } from '../api/api.js';
import type { Session, SessionState, SignedIn } from '../sign-in/session.js';

export interface Services {
  readonly session: Session;
  readonly api: Api;
}

export const ServicesContext = createContext<Services | undefined>(undefined);

export function useServices(): Services {
  const services = use(ServicesContext);
  if (services === undefined) throw new Error('outside of the app');
  return services;
}

export function useSessionState(session: Session): SessionState {
  return useSyncExternalStore(session.subscribe, () => session.state);
}

/** Whoever is signed in; views are shown to nobody else. */
export function useSignedIn(): SignedIn {
  const state = useSessionState(useServices().session);
  return 'token' in state ? state : { token: '', user: '', roles: [] };
}
