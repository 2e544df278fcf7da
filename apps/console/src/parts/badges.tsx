import type { ReactNode } from 'react';
import type { CallState, Coverage, Verdict } from '../api/answers.js';
import styles from './badges.module.css';
import { texts } from '../texts/parts.js';

const SHAPES: Readonly<Record<Verdict, ReactNode>> = {
  good: <circle cx="6" cy="6" r="4.5" />,
  poor: <path d="M6 1 11.5 10.5H.5z" />,
  bad: <path d="M6 .5 11.5 6 6 11.5.5 6z" />,
  unknown: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" />,
};

/** The shape of a verdict, in the colour of the text; the word beside it has the same meaning for screen readers. */
export function VerdictShape({ verdict }: { readonly verdict: Verdict }): ReactNode {
  return (
    <svg width="11" height="11" viewBox="0 0 12 12" fill="currentColor" aria-hidden="true">
      {SHAPES[verdict]}
    </svg>
  );
}

/** A verdict by colour, shape and word. */
export function VerdictBadge({ verdict }: { readonly verdict: Verdict }): ReactNode {
  return (
    <span className={`${styles['badge']} ${styles[verdict]}`}>
      <VerdictShape verdict={verdict} />
      {texts.verdicts[verdict]}
    </span>
  );
}

/** The verdict on a call; says if only some directions of its media were measured. */
export function CallVerdict({
  verdict,
  coverage,
}: {
  readonly verdict: Verdict;
  readonly coverage: Coverage;
}): ReactNode {
  return (
    <span className={styles['judged']}>
      <VerdictBadge verdict={verdict} />
      {coverage === 'one' && (
        <span className={styles['coverage']} title={texts.partlyMeasuredReason}>
          {texts.partlyMeasured}
        </span>
      )}
    </span>
  );
}

/** The state of a call. */
export function StateBadge({ state }: { readonly state: CallState }): ReactNode {
  return <span className={`${styles['state']} ${styles[state]}`}>{texts.states[state]}</span>;
}
