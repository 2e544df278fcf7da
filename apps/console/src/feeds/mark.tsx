import type { ReactNode } from 'react';
import { VerdictShape } from '../parts/badges.js';
import type { ServiceHealth } from './feed-health.js';
import styles from './mark.module.css';

/** A state by colour, shape and word. */
export function Mark({
  state,
  children,
}: {
  readonly state: ServiceHealth['state'];
  readonly children: ReactNode;
}): ReactNode {
  return (
    <span className={`${styles['mark']} ${styles[state]}`}>
      <VerdictShape verdict={state} />
      {children}
    </span>
  );
}
