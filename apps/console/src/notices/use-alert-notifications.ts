import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { useSignedIn } from '../services/services.js';
import { summaryWords } from '../alerts/summary-words.js';
import type { Alert } from '../api/answers.js';
import { useLeadingTab } from './use-leading-tab.js';

interface AlertNotifications {
  /** Whether the browser would ask the user. */
  readonly canAllow: boolean;
  readonly allow: () => void;
}

/** Shows notifications of the browser for alerts that begin while the page is open, if the user has allowed them. */
export function useAlertNotifications(alerts: readonly Alert[] | undefined): AlertNotifications {
  const [, navigate] = useLocation();
  const [permission, setPermission] = useState(permissionNow);
  const known = useRef<Set<string>>(undefined);
  const { username } = useSignedIn();
  // A notification that was closed would come back from each of the other tabs.
  const isNotifying = useLeadingTab(`ringdown alerts ${username}`); // not shown: the name of a lock
  useEffect(() => {
    if (alerts === undefined) return;
    const before = known.current;
    known.current = new Set([...(before ?? []), ...alerts.map(({ id }) => id)]);
    // Those that fired before the page was opened are in the banner only.
    if (before === undefined || permissionNow() !== 'granted' || !isNotifying) return;
    for (const alert of alerts.filter(({ id }) => !before.has(id))) {
      notify(alert)?.addEventListener('click', () => {
        window.focus();
        navigate('/alerts');
      });
    }
  }, [alerts, isNotifying, navigate]);
  return {
    canAllow: permission === 'default',
    allow: () => void Notification.requestPermission().then(setPermission),
  };
}

/** Of all tabs: it may have been given in another one. */
function permissionNow(): NotificationPermission {
  return 'Notification' in window ? Notification.permission : 'denied';
}

/** Undefined in browsers that allow notifications only to service workers, as on Android. */
function notify(alert: Alert): Notification | undefined {
  const { id, ruleName } = alert;
  try {
    return new Notification(ruleName, { body: summaryWords(alert), tag: id });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
