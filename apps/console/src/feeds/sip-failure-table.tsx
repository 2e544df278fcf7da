import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { SipFailureList, SipFailures } from '../api/answers.js';
import { CardTable } from '../parts/card-table.js';
import { formatNumber } from '../parts/format.js';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { Time } from '../parts/time/time.js';
import table from '../parts/wide-table.module.css';

import { texts } from '../texts/feeds.js';
import styles from './feeds-view.module.css';
import { statusWord } from './status-word.js';
import type { Narrowed } from './feeds-query.js';
import { useSipFailures } from './use-feeds.js';

/** Failed registrations and other requests outside of calls, by who sent them. */
export function SipFailureTable({ narrowed }: { readonly narrowed: Narrowed }): ReactNode {
  const { isNarrowed } = narrowed;
  return (
    <Section
      title={texts.sipFailures}
      query={useSipFailures(narrowed)}
      about={isNarrowed ? ({ total }) => formatNumber(total) : sipFailureSummary}
      tools={<Link href="/alerts/rules/new">{texts.createRule}</Link>}
    >
      {({ items, more }) =>
        items.length === 0 ? (
          <EmptyNote title={isNarrowed ? texts.noSuchSipFailures : texts.noSipFailures} />
        ) : (
          <>
            <CardTable
              label={texts.sipFailureTable}
              heads={[
                { title: texts.method },
                { title: texts.status },
                { title: texts.peer },
                { title: texts.frontEnd },
                { title: texts.failures, isNumber: true },
                { title: texts.first, isNumber: true },
                { title: texts.last, isNumber: true },
              ]}
            >
              {items.map((item) => (
                <Row key={[item.method, item.status, item.peer, item.frontEnd].join(' ')} item={item} />
              ))}
            </CardTable>
            {more > 0 && <p className={styles['foot']}>{texts.rarerKinds(more)}</p>}
          </>
        )
      }
    </Section>
  );
}

function sipFailureSummary({ total }: SipFailureList): string {
  return total === 0 ? '' : texts.lastDay(formatNumber(total));
}

function Row({ item }: { readonly item: SipFailures }): ReactNode {
  const { method, status, peer, frontEnd, failures, firstAt, lastAt } = item;
  return (
    <tr>
      <th scope="row">{method}</th>
      <td>{statusWord(status)}</td>
      <td>{peer === 'other' ? texts.other : peer}</td>
      <td>{frontEnd}</td>
      <td className={table['number']}>{formatNumber(failures)}</td>
      <td className={table['number']}>
        <Time at={firstAt} />
      </td>
      <td className={table['number']}>
        <Time at={lastAt} />
      </td>
    </tr>
  );
}
