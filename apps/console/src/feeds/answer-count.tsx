import type { ReactNode } from 'react';
import type { CollectorAnswers } from '../api/answers.js';
import { formatNumber } from '../parts/format.js';
import { Time } from '../parts/time/time.js';
import { texts } from '../texts/feeds.js';
import styles from './feeds-view.module.css';

/** `Count` of the replies to a front end; with several collectors the sum, which expands to the count of each. */
export function AnswerCount({ answers }: { readonly answers: readonly CollectorAnswers[] | null }): ReactNode {
  const [first, ...others] = answers ?? [];
  if (answers === null || first === undefined) {
    const why = answers === null ? texts.answersUnknown : texts.noAnswers;
    return (
      <span className="muted" title={why}>
        –
      </span>
    );
  }
  if (others.length === 0) return <span title={texts.answeredBy(first.host)}>{formatNumber(first.count)}</span>;
  return (
    <details className={styles['answers']}>
      <summary>
        {formatNumber(answers.reduce((sum, { count }) => sum + count, 0))}
        <span className="unseen"> {texts.answeredByCollectors(answers.length)}</span>
      </summary>
      <ul>
        {answers.map(({ replica, host, count, lastAnswer }) => (
          <li key={replica} title={texts.replica(replica)}>
            {formatNumber(count)}{' '}
            <span className="muted">
              {host}, <Time at={lastAnswer} />
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}
