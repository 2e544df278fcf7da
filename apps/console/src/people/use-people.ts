import { useSyncExternalStore } from 'react';
import { useServices } from '../services/services.js';
import { openTabChannel } from '../services/tab-channel.js';
import { culture } from '../texts/language.js';
import { waitFor, WebClient, type Session } from '../web-interface/index.js';
import type { PeopleState } from './people-state.js';
import { PeopleStore } from './people-store.js';

/** One per session, from the first visit of the view until sign-out: messages arrive while other views are shown. */
const stores = new WeakMap<Session, PeopleStore>();

export function usePeople(): { readonly store: PeopleStore; readonly state: PeopleState } {
  const { session } = useServices();
  const store = stores.get(session) ?? begin(session);
  return { store, state: useSyncExternalStore(store.subscribe, store.snapshot) };
}

function begin(session: Session): PeopleStore {
  const client = new WebClient({
    session,
    culture,
    userAgent: 'Ringdown console', // not shown: sent to the server
    now: Date.now,
    random: Math.random,
    wait: waitFor,
  });
  const { state } = session;
  const name = `ringdown read ${state.kind === 'signedIn' ? state.username : ''}`; // not shown: a name
  const tabs = openTabChannel<string>(name, (uri) => store.conversations.read(uri));
  const store = new PeopleStore(client, tabs.post);
  stores.set(session, store);
  const page = new AbortController();
  const { signal } = page;
  for (const kind of ['keydown', 'pointerdown']) {
    document.addEventListener(kind, () => store.reportActivity(), { signal, passive: true });
  }
  window.addEventListener('online', () => store.tryNow(), { signal });
  document.addEventListener('visibilitychange', () => document.hidden || store.tryNow(), { signal });
  const forget = session.beforeSignOut(() => store.close());
  const end = session.subscribe(() => {
    if (session.state.kind === 'signedIn') return;
    store.stop();
    stores.delete(session);
    page.abort();
    tabs.close();
    forget();
    end();
  });
  void store.start();
  return store;
}
