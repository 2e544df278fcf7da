import type { ReactNode } from 'react';
import type { Call } from '../api/answers.js';
import { VerdictShape } from '../parts/badges.js';
import { callEnding } from './call-ending.js';
import styles from './end-banner.module.css';
import { texts } from '../texts/call.js';

/** Why the call failed, or that its end is not known, in words. */
export function EndBanner({ call }: { readonly call: Call }): ReactNode {
  const ending = callEnding(call);
  if (ending === undefined) return null;
  const { level, title, meaning, place, diagnostics } = ending;
  return (
    <div className={styles['banner']} data-level={level} role="note" aria-label={texts.whyEnded}>
      <p className={styles['title']}>
        <VerdictShape verdict={level} />
        <strong>{title}</strong>
      </p>
      {meaning !== undefined && <p>{meaning}</p>}
      {place !== undefined && <p>{place}</p>}
      {diagnostics.map((cause) => (
        <p key={cause.text} className={styles['cause']}>
          {cause.text}
          {cause.meaning !== undefined && <> – {cause.meaning}</>}
        </p>
      ))}
    </div>
  );
}
