import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { SipFailureList, SipFailures } from '../api/answers.js';
import { formatCount, formatNumber } from '../parts/format.js';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { Time } from '../parts/time.js';
import table from '../parts/wide-table.module.css';
import { WideTable } from '../parts/wide-table.js';
import styles from './feeds-view.module.css';
import { useSipFailures } from './use-feeds.js';

/** Statuses that are words, not numbers. */
const STATUS_WORDS: Readonly<Record<string, string>> = { none: 'No response', other: 'Other' };

/** Failed registrations and other requests outside of calls, by who sent them. */
export function SipFailureTable(): ReactNode {
  return (
    <Section
      title="Failed SIP requests"
      query={useSipFailures()}
      about={aboutOf}
      tools={<Link href="/alerts/rules/new">Create alert rule</Link>}
    >
      {({ items, more }) =>
        items.length === 0 ? (
          <EmptyNote title="No failed registrations, pings, messages or subscriptions in the last 24 hours." />
        ) : (
          <>
            <WideTable label="Table of failed SIP requests">
              <thead>
                <tr>
                  <th>Method</th>
                  <th>Status</th>
                  <th>Peer</th>
                  <th>Front end</th>
                  <th className={table['number']}>Failures</th>
                  <th className={table['number']}>First</th>
                  <th className={table['number']}>Last</th>
                </tr>
              </thead>
              <tbody>
                {items.map((item) => (
                  <Row key={[item.method, item.status, item.peer, item.frontEnd].join(' ')} item={item} />
                ))}
              </tbody>
            </WideTable>
            {more > 0 && <p className={styles['foot']}>{formatCount(more, 'rarer kind')} not shown.</p>}
          </>
        )
      }
    </Section>
  );
}

function aboutOf({ total }: SipFailureList): string {
  return total === 0 ? '' : `${formatNumber(total)} in the last 24 hours`;
}

function Row({ item }: { readonly item: SipFailures }): ReactNode {
  const { method, status, peer, frontEnd, failures, firstAt, lastAt } = item;
  return (
    <tr>
      <th scope="row">{method}</th>
      <td>{STATUS_WORDS[status] ?? status}</td>
      <td>{peer === 'other' ? 'Other' : peer}</td>
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
