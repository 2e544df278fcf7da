import type { ReactNode } from 'react';
import type { StoredRecord } from '../api/answers.js';
import { formatCount } from '../parts/format.js';
import { Time } from '../parts/time.js';
import styles from './call-view.module.css';

interface RecordsSectionProps {
  readonly records: readonly StoredRecord[];
  readonly leftOut: number;
}

/** The records themselves, as they were received. */
export function RecordsSection({ records, leftOut }: RecordsSectionProps): ReactNode {
  return (
    <section className={`card ${styles['section']}`} aria-labelledby="records">
      <h2 id="records">Records</h2>
      {records.map(({ id, kinds, frontEnds, sentAt, receivedAt, remoteAddress, certificateSubject, xml }) => (
        <details key={id} className={styles['record']}>
          <summary>
            <Time at={sentAt ?? receivedAt} />
            <span>{kinds.join(', ') || 'header'}</span>
            <span className="muted">{frontEnds.join(', ')}</span>
            <span className="muted">
              received <Time at={receivedAt} />
              {remoteAddress !== null && ` from ${[remoteAddress, certificateSubject].filter(Boolean).join(', ')}`}
            </span>
          </summary>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is scrolled with the keyboard as well */}
          <pre className={styles['xml']} tabIndex={0}>
            {xml}
          </pre>
        </details>
      ))}
      {leftOut > 0 && <p className="muted">{formatCount(leftOut, 'record')} more are kept.</p>}
    </section>
  );
}
