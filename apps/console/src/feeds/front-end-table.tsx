import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { FrontEnd } from '../api/feeds.js';
import { counted, shownDuration, shownNumber } from '../parts/format.js';
import { EmptyNote } from '../parts/notes.js';
import { Time } from '../parts/time.js';
import { shownRate, silence } from './feed-health.js';
import styles from './feeds-view.module.css';
import { Mark } from './mark.js';
import { Section, WideTable } from './section.js';
import { useFrontEnds } from './use-feeds.js';

/** Every front end that has been heard of. */
export function FrontEndTable(): ReactNode {
  const query = useFrontEnds();
  const now = query.dataUpdatedAt;
  return (
    <Section title="Front ends" query={query} about={({ items }) => counted(items.length, 'front end')}>
      {({ items, areMore }) =>
        items.length === 0 ? (
          <EmptyNote title="Nothing has come in yet.">
            Set the collector URL of a front end to this system, or try <code>npm run demo</code>.
          </EmptyNote>
        ) : (
          <>
            <WideTable label="Front ends">
              <thead>
                <tr>
                  <th>Front end</th>
                  <th>Feed</th>
                  <th className={styles['number']}>Last record</th>
                  <th className={styles['number']}>A minute</th>
                  <th className={styles['number']}>Records</th>
                  <th className={styles['number']}>Copies</th>
                  <th className={styles['number']}>Rejected</th>
                  <th className={styles['number']}>Late</th>
                  <th className={styles['number']}>Expired</th>
                  <th className={styles['number']}>Calls now</th>
                </tr>
              </thead>
              <tbody>
                {items.map((frontEnd) => (
                  <Row key={frontEnd.name} frontEnd={frontEnd} now={now} />
                ))}
              </tbody>
            </WideTable>
            {areMore && <p className={styles['foot']}>There are more; these are the first by name.</p>}
          </>
        )
      }
    </Section>
  );
}

function Row({ frontEnd, now }: { readonly frontEnd: FrontEnd; readonly now: number }): ReactNode {
  const { name, lastSeen, recordsPerMinute, records, duplicates, rejected, late, expired, callsInProgress } = frontEnd;
  const silent = silence(frontEnd, now);
  return (
    <tr>
      <th scope="row">
        <Link href={searchOf({ frontEnd: name })}>{name}</Link>
      </th>
      <td>
        {silent === undefined ? (
          <Mark state="good">sending</Mark>
        ) : (
          <Mark state="poor">silent for {shownDuration(silent / 1_000)}</Mark>
        )}
      </td>
      <td className={styles['number']}>
        <Time at={lastSeen} />
      </td>
      <td className={styles['number']}>{shownRate(recordsPerMinute)}</td>
      <td className={styles['number']}>{shownNumber(records)}</td>
      <Count value={duplicates} />
      <Count value={rejected} isTrouble />
      <Count value={late} isTrouble />
      <td className={styles['number']}>
        {expired === 0 ? (
          <span className="muted">0</span>
        ) : (
          <Link href={searchOf({ frontEnd: name, state: 'expired' })}>{shownNumber(expired)}</Link>
        )}
      </td>
      <Count value={callsInProgress} />
    </tr>
  );
}

function Count({
  value,
  isTrouble = false,
}: {
  readonly value: number | null;
  readonly isTrouble?: boolean;
}): ReactNode {
  const kind = value === null || value === 0 ? 'muted' : isTrouble ? styles['trouble'] : undefined;
  return (
    <td className={styles['number']}>
      <span className={kind}>{value === null ? '–' : shownNumber(value)}</span>
    </td>
  );
}

/** The calls behind a mark, of the last seven days. */
function searchOf(filters: Readonly<Record<string, string>>): string {
  return `/calls?${new URLSearchParams({ last: '7d', ...filters }).toString()}`;
}
