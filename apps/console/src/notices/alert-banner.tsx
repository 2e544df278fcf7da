import { useState, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { callsPath } from '../alerts/alert-link.js';
import { summaryWords } from '../alerts/summary-words.js';
import { useAlerts } from '../alerts/use-alerts.js';
import { texts } from '../texts/notices.js';
import styles from './notices.module.css';
import { useAlertNotifications } from './use-alert-notifications.js';
import { worstFirst } from './worst-first.js';

/** What fires now, above every view but that of the alerts, until it is hidden or resolved. */
export function AlertBanner(): ReactNode {
  const [here] = useLocation();
  const { data } = useAlerts({ open: 'true' }, true);
  const [hidden, hide] = useState<ReadonlySet<string>>(new Set());
  const { canAllow, allow } = useAlertNotifications(data?.items);
  const alerts = worstFirst(data?.items ?? []).filter(({ id }) => !hidden.has(id));
  // The list has the newest only.
  const notListed = data === undefined ? 0 : data.openCount - data.items.length;
  const more = alerts.length - 1 + notListed;
  const [worst] = alerts;
  if (worst === undefined || here === '/alerts') return null;
  return (
    <div className={`${styles['banner']} ${styles[worst.severity]}`} role="region" aria-label={texts.firing}>
      <p role="status">
        <strong>{worst.ruleName}</strong>: {summaryWords(worst)}
      </p>
      <span className={styles['buttons']}>
        <Link href={callsPath(worst.link)}>{texts.viewCalls}</Link>
        <Link href="/alerts">{more === 0 ? texts.allAlerts : texts.moreAlerts(more)}</Link>
        {canAllow && (
          <button className="button" type="button" onClick={allow}>
            {texts.allow}
          </button>
        )}
        <button
          className="button"
          type="button"
          onClick={() => hide(new Set([...hidden, ...alerts.map(({ id }) => id)]))}
        >
          {texts.dismiss}
        </button>
      </span>
    </div>
  );
}
