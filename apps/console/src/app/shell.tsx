import { useState, type ReactNode } from 'react';
import { Link, Route, Switch, useLocation } from 'wouter';
import { AccountMenu } from './account-menu.js';
import { ErrorBoundary } from './error-boundary.js';
import { FirstView } from './first-view.js';
import { LateNotices } from './late-notices.js';
import { Navigation } from './navigation.js';
import { OpenedView } from './opened-view.js';
import { useTimeZone } from '../parts/time/time-zone.js';
import { useSignedIn } from '../services/services.js';
import styles from './shell.module.css';
import { ThemeSwitch } from './theme-switch.js';
import { viewsFor } from './views.js';
import { texts } from '../texts/app.js';

/** The frame around every view: name, navigation, theme, sign-out. */
export function Shell(): ReactNode {
  const { roles } = useSignedIn();
  const [here] = useLocation();
  // Texts with times are formatted by all views: they are rendered again.
  useTimeZone();
  /** Unread messages and open invitations. */
  const [waiting, setWaiting] = useState(0);
  const offered = viewsFor(roles);
  const first = offered.find(({ label }) => label !== undefined);
  return (
    <div className={styles['shell']}>
      <a className={styles['skip']} href="#main">
        {texts.skip}
      </a>
      <header className={styles['bar']}>
        <span className={styles['brand']}>
          <Mark /> Ringdown
        </span>
        <Navigation views={offered} waiting={waiting} />
        <div className={styles['tools']}>
          <ThemeSwitch />
          <AccountMenu />
        </div>
      </header>
      <div>
        <ErrorBoundary>
          <LateNotices onCount={setWaiting} />
        </ErrorBoundary>
      </div>
      <main id="main" className={styles['main']} tabIndex={-1}>
        <ErrorBoundary key={here}>
          <Switch>
            {offered.map(({ path, files }) => (
              <Route key={path} path={path}>
                <OpenedView files={files} />
              </Route>
            ))}
            {first !== undefined && (
              <Route path="/">
                <FirstView usual={first} />
              </Route>
            )}
            <Route>
              <NothingHere offered={first !== undefined} />
            </Route>
          </Switch>
        </ErrorBoundary>
      </main>
    </div>
  );
}

function NothingHere({ offered }: { readonly offered: boolean }): ReactNode {
  return (
    <div className={styles['nothing']}>
      <h1>{texts.notFound}</h1>
      <p className="muted">{offered ? texts.notFoundReason : texts.noAccess}</p>
      {offered && <Link href="/">{texts.toStart}</Link>}
    </div>
  );
}

function Mark(): ReactNode {
  return (
    <svg width="20" height="20" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="7" fill="#1f5fbf" />
      <path
        d="M6 18h4l3-8 5 13 3-9 1.5 4H26"
        fill="none"
        stroke="#fff"
        strokeWidth="2.6"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
