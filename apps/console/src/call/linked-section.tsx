import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { LinkedCall } from '../api/answers.js';
import { StateBadge, VerdictBadge } from '../parts/badges.js';
import { shownSipAddress } from '../parts/format.js';
import { ScrollRegion } from '../parts/scroll-region.js';
import { Time } from '../parts/time/time.js';
import { callHref } from '../parts/call-address.js';
import styles from './call-view.module.css';
import { texts } from '../texts/call.js';

/** Other legs: calls of the same conversation, conference, mediation or transfer. */
export function LinkedSection({ linked }: { readonly linked: readonly LinkedCall[] }): ReactNode {
  return (
    <section className={`card ${styles['section']}`} aria-labelledby="linked">
      <h2 id="linked">{texts.relatedCalls}</h2>
      <ScrollRegion label={texts.relatedTable}>
        <table className={styles['table']}>
          <thead>
            <tr>
              {[texts.started, texts.parties, texts.relation, texts.state, texts.verdict].map((name) => (
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
                  <Link href={callHref(callId)}>{parties.map(shownSipAddress).join(' → ') || callId}</Link>
                </td>
                <td>{by.map((each) => texts.relations[each]).join(', ')}</td>
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
