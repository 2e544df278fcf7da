import { useState, type ReactNode } from 'react';
import { filled } from '../parts/filled.js';
import { formatNumber } from '../parts/format.js';
import { Time } from '../parts/time/time.js';
import { texts } from '../texts/alerts.js';
import styles from './alerts.module.css';
import { useAlert } from './use-alerts.js';

/** What was sent about an alert; fetched when it is opened. */
export function Notices({ alertId }: { readonly alertId: string }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button className={styles['quiet']} type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? texts.hide : texts.show}
      </button>
      {isOpen && <NoticeList alertId={alertId} />}
    </>
  );
}

function NoticeList({ alertId }: { readonly alertId: string }): ReactNode {
  const { data, error } = useAlert(alertId);
  if (error !== null) return <p role="alert">{error.message}</p>;
  if (data === undefined) return <p className="muted">{texts.loading}</p>;
  if (data.notices.length === 0) return <p className="muted">{texts.noNotices}</p>;
  return (
    <ul className={styles['notices']}>
      {data.notices.map(({ id, receiver, attempts, createdAt, deliveredAt, givenUp, lastError }) => (
        <li key={`${id} ${receiver}`}>
          {receiver}:{' '}
          {deliveredAt === null ? (
            <span className={styles['critical']}>
              {filled(
                givenUp ? texts.deliveryFailed : texts.notDelivered,
                <Time at={createdAt} />,
                formatNumber(attempts),
              )}
              {lastError !== null && `, ${lastError}`}
            </span>
          ) : (
            filled(texts.delivered, <Time at={deliveredAt} />)
          )}
        </li>
      ))}
    </ul>
  );
}
