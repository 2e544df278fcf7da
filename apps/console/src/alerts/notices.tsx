import { useState, type ReactNode } from 'react';
import { Time } from '../parts/time.js';
import styles from './alerts.module.css';
import { useAlert } from './use-alerts.js';

/** What was sent about an alert; fetched when it is opened. */
export function Notices({ alertId }: { readonly alertId: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button className={styles['quiet']} type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? 'Hide' : 'Show'}
      </button>
      {isOpen && <NoticeList alertId={alertId} />}
    </>
  );
}

function NoticeList({ alertId }: { readonly alertId: string }): ReactNode {
  const { data, error } = useAlert(alertId);
  if (error !== null) return <p role="alert">{error.message}</p>;
  if (data === undefined) return <p className="muted">Loading …</p>;
  if (data.notices.length === 0) return <p className="muted">None: the rule has no receivers.</p>;
  return (
    <ul className={styles['notices']}>
      {data.notices.map(({ id, receiver, attempts, createdAt, deliveredAt, givenUp, lastError }) => (
        <li key={`${id} ${receiver}`}>
          {receiver}:{' '}
          {deliveredAt === null ? (
            <span className={styles['critical']}>
              {givenUp ? 'delivery failed' : 'not delivered yet'} since <Time at={createdAt} />, attempts: {attempts}
              {lastError !== null && `, ${lastError}`}
            </span>
          ) : (
            <>
              delivered <Time at={deliveredAt} />
            </>
          )}
        </li>
      ))}
    </ul>
  );
}
