import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Api } from './api/api.js';
import { App } from './app/app.js';
import { applyTheme, storedTheme } from './app/theme.js';
import { viewAt } from './app/views.js';
import { followTimeZone } from './parts/time/time-zone.js';
import { texts } from './texts/app.js';
import { language } from './texts/language.js';
import { translation } from './texts/translation.js';
import './theme.css';
import { Session, SessionStore, SharedSession, SingleSignOn } from './web-interface/index.js';

document.documentElement.lang = translation === undefined ? 'en' : language;
// Before the first rendering, so that a dark screen does not flash.
applyTheme(storedTheme(localStorage));
followTimeZone();

// react-aria-components adds a style element unless one of this id is there, and our content security policy forbids
// those; the rule it would add is in theme.css.
const pressable = document.createElement('meta');
pressable.id = 'react-aria-pressable-style';
document.head.append(pressable);

const root = document.querySelector('#root');
if (root === null) throw new Error('index.html has no #root');
if (/^\/meet\//i.test(location.pathname)) void openMeeting(root);
else void openConsole(root);

/** Guests of a meeting have nothing to do with the console. */
async function openMeeting(element: Element): Promise<void> {
  try {
    const { openMeetPage } = await import('./meet/open-meet-page.js');
    openMeetPage(element);
  } catch {
    element.textContent = texts.loadingFailed;
  }
}

/** A tab without a session first looks for one in the other tabs. */
async function openConsole(element: Element): Promise<void> {
  const client = { origin: location.origin, fetch: (url: URL, init?: RequestInit) => fetch(url, init) };
  const session = new Session({
    ...client,
    store: new SessionStore({ tab: sessionStorage, device: localStorage, newId: () => crypto.randomUUID() }),
    now: () => Date.now(),
  });
  const api = new Api(session);
  const singleSignOn = new SingleSignOn({ ...client, tab: sessionStorage });
  const returned = singleSignOn.arrival(location.search);
  // The code is not left in the address or in the history.
  if (returned !== undefined) history.replaceState(null, '', returned.returnTo);
  const arrival = returned?.answer.then((answer) => session.signInByProvider(answer));
  // While the page is rendered. If loading fails, the view loads them again and shows the error.
  viewAt(location.pathname.replace(/^\/console(?=\/)/, ''))
    ?.files.load()
    .catch(() => undefined);
  const shared = shareSession(session);
  if (returned === undefined) await shared.join();
  createRoot(element).render(
    <StrictMode>
      <App session={session} api={api} singleSignOn={singleSignOn} arrival={arrival} />
    </StrictMode>,
  );
}

function shareSession(session: Session): SharedSession {
  let usedAt = Date.now();
  const use = (): void => {
    usedAt = Date.now();
  };
  for (const event of ['focus', 'blur', 'pointerdown', 'keydown']) addEventListener(event, use, { passive: true });
  const channel = new BroadcastChannel('ringdown');
  return new SharedSession({ session, channel, lastUsedAt: () => usedAt, newId: () => crypto.randomUUID() });
}
