import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { LinkedCall } from '../api/answers.js';
import { StateBadge, VerdictBadge } from '../parts/badges.js';
import { nameOf } from '../parts/format.js';
import { ScrollRegion } from '../parts/scroll-region.js';
import { Time } from '../parts/time.js';
import { callHref } from './call-address.js';
import styles from './call-view.module.css';

/** How the other call belongs to this one. */
const RELATIONS: Readonly<Record<LinkedCall['by'][number], string>> = {
  conversation: 'same conversation',
  conference: 'same conference',
  correlation: 'same mediation',
  replaces: 'replaced by this call',
  replacedBy: 'replaced this call',
};

/** Other legs: calls of the same conversation, conference, mediation or transfer. */
export function LinkedSection({ linked }: { readonly linked: readonly LinkedCall[] }): ReactNode {
  return (
    <section className={`card ${styles['section']}`} aria-labelledby="linked">
      <h2 id="linked">Related calls</h2>
      <ScrollRegion label="Table of related calls">
        <table className={styles['table']}>
          <thead>
            <tr>
              {['Started', 'Parties', 'Relation', 'State', 'Verdict'].map((name) => (
                <th key={name}>{name}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {linked.map(({ callId, by, state, verdict, beganAt, parties }) => (
              <tr key={callId}>
                <td>
                  <Time at={beganAt} />
                </td>
                <td>
                  <Link href={callHref(callId)}>{parties.map(nameOf).join(' → ') || callId}</Link>
                </td>
                <td>{by.map((each) => RELATIONS[each]).join(', ')}</td>
                <td>
                  <StateBadge state={state} />
                </td>
                <td>
                  <VerdictBadge verdict={verdict} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </section>
  );
}
