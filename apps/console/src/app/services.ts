import { createContext, use, useSyncExternalStore } from 'react';
import type { Api } from '../api/api.js';
import type { Session, SessionState } from '../web-interface/index.js';

export interface Services {
  readonly session: Session;
  readonly api: Api;
}

/** Whoever is signed in. */
export interface SignedIn {
  readonly username: string;
  /** Beyond what everybody may: `operator` asks the query API, `reveal` sees who took part. */
  readonly roles: readonly string[];
}

export const ServicesContext = createContext<Services | undefined>(undefined);
export const SignedInContext = createContext<SignedIn | undefined>(undefined);

export function useServices(): Services {
  return found(use(ServicesContext));
}

/** Views are shown to nobody who is not signed in. */
export function useSignedIn(): SignedIn {
  return found(use(SignedInContext));
}

export function useSessionState(session: Session): SessionState {
  return useSyncExternalStore(
    (listener) => session.subscribe(listener),
    () => session.state,
  );
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('outside of the app');
  return value;
}
