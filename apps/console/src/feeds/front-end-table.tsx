import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { FrontEnd } from '../api/answers.js';
import { CardTable, NoValue } from '../parts/card-table.js';
import { formatNumber } from '../parts/format.js';
import { filled } from '../parts/filled.js';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { Time } from '../parts/time/time.js';
import { useServerTime } from '../parts/time/use-server-time.js';
import table from '../parts/wide-table.module.css';

import { texts } from '../texts/feeds.js';
import { AnswerCount } from './answer-count.js';
import { ExpiredLink } from './expired-link.js';
import { feedHref } from './feed-address.js';
import { formatRate } from './feed-health.js';
import { FeedMark } from './feed-mark.js';
import styles from './feeds-view.module.css';
import { useFrontEnds } from './use-feeds.js';

/** Every known front end. */
export function FrontEndTable(): ReactNode {
  const query = useFrontEnds();
  const now = useServerTime(true);
  return (
    <Section title={texts.frontEnds} query={query} about={({ items }) => texts.frontEndCount(items.length)}>
      {({ items, areMore }) =>
        items.length === 0 ? (
          <EmptyNote title={texts.noRecords}>
            {filled(texts.connectOrDemo, <Link href="/start">{texts.connect}</Link>, <code>npm run demo</code>)}
          </EmptyNote>
        ) : (
          <>
            <CardTable
              label={texts.frontEndTable}
              heads={[
                { title: texts.frontEnd },
                { title: texts.feed },
                { title: texts.lastRecord, isNumber: true },
                { title: texts.perMinute, isNumber: true },
                { title: texts.records, isNumber: true },
                { title: texts.duplicates, isNumber: true },
                { title: texts.rejected, isNumber: true },
                { title: texts.late, isNumber: true },
                { title: texts.expired, isNumber: true },
                { title: texts.answerCount, isNumber: true },
                { title: texts.callsNow, isNumber: true },
              ]}
            >
              {items.map((frontEnd) => (
                <Row key={frontEnd.name} frontEnd={frontEnd} now={now} />
              ))}
            </CardTable>
            {areMore && <p className={styles['foot']}>{texts.moreFrontEnds}</p>}
          </>
        )
      }
    </Section>
  );
}

function Row({ frontEnd, now }: { readonly frontEnd: FrontEnd; readonly now: number }): ReactNode {
  const { name, lastSeen, recordsPerMinute, records, duplicates, rejected, late, expired, answers, callsInProgress } =
    frontEnd;
  return (
    <tr>
      <th scope="row">
        <Link href={feedHref(name)}>{name}</Link>
      </th>
      <td>
        <FeedMark frontEnd={frontEnd} now={now} />
      </td>
      <td className={table['number']}>
        <Time at={lastSeen} />
      </td>
      <td className={table['number']}>{formatRate(recordsPerMinute)}</td>
      <td className={table['number']}>{formatNumber(records)}</td>
      <Count value={duplicates} />
      <Count value={rejected} isTrouble />
      <Count value={late} isTrouble />
      <td className={table['number']}>
        <ExpiredLink frontEnd={frontEnd}>{formatNumber(expired)}</ExpiredLink>
      </td>
      <td className={table['number']}>
        <AnswerCount answers={answers} />
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
  if (value === null) return <NoValue />;
  const kind = value === 0 ? 'muted' : isTrouble ? styles['trouble'] : undefined;
  return (
    <td className={table['number']}>
      <span className={kind}>{formatNumber(value)}</span>
    </td>
  );
}
