import { createContext, use, useSyncExternalStore } from 'react';
import type { Api } from '../api/api.js';
import type { Session, SessionState } from '../web-interface/index.js';

export interface Services {
  readonly session: Session;
  readonly api: Api;
}

/** The signed-in user. */
export interface SignedInUser {
  readonly username: string;
  /** Additional roles: `operator` may use the query API, `reveal` sees who took part. */
  readonly roles: readonly string[];
}

export const ServicesContext = createContext<Services | undefined>(undefined);
export const SignedInContext = createContext<SignedInUser | undefined>(undefined);

export function useServices(): Services {
  return found(use(ServicesContext));
}

/** Views are shown only to signed-in users. */
export function useSignedIn(): SignedInUser {
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
