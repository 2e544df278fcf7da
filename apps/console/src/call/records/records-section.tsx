import { useState, type ReactNode } from 'react';
import type { StoredRecord } from '../../api/answers.js';
import { filled } from '../../parts/filled.js';
import { Time } from '../../parts/time/time.js';
import styles from '../call-view.module.css';
import { XmlView } from './xml-view.js';
import { texts } from '../../texts/call.js';

interface RecordsSectionProps {
  readonly records: readonly StoredRecord[];
  readonly leftOut: number;
}

/** The records themselves, as they were received. */
export function RecordsSection({ records, leftOut }: RecordsSectionProps): ReactNode {
  return (
    <section className={`card ${styles['section']}`} aria-labelledby="records">
      <h2 id="records">{texts.records}</h2>
      {records.map((record) => (
        <OneRecord key={record.id} record={record} />
      ))}
      {leftOut > 0 && <p className="muted">{texts.notShown(leftOut)}</p>}
    </section>
  );
}

/** The document is drawn when it is opened: a call may have thousands of them. */
function OneRecord({ record }: { readonly record: StoredRecord }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { kinds, frontEnds, sentAt, receivedAt, remoteAddress, certificateSubject, xml } = record;
  return (
    <details className={styles['record']} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Time at={sentAt ?? receivedAt} />
        <span>{kinds.join(', ') || texts.headerOnly}</span>
        <span className="muted">{frontEnds.join(', ')}</span>
        <span className="muted">
          {remoteAddress === null
            ? filled(texts.received, <Time at={receivedAt} />)
            : filled(
                texts.receivedFrom,
                <Time at={receivedAt} />,
                [remoteAddress, certificateSubject].filter(Boolean).join(', '),
              )}
        </span>
      </summary>
      {isOpen && <XmlView xml={xml} />}
    </details>
  );
}
