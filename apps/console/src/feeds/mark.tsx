import type { ReactNode } from 'react';
import type { Health } from './feed-health.js';
import styles from './mark.module.css';

/** How something is, by colour, shape and word. */
export function Mark({
  state,
  children,
}: {
  readonly state: Health['state'];
  readonly children: ReactNode;
}): ReactNode {
  return (
    <span className={`${styles['mark']} ${styles[state]}`}>
      <svg width="11" height="11" viewBox="0 0 12 12" fill="currentColor" aria-hidden="true">
        {SHAPES[state]}
      </svg>
      {children}
    </span>
  );
}

const SHAPES: Readonly<Record<Health['state'], ReactNode>> = {
  good: <circle cx="6" cy="6" r="4.5" />,
  poor: <path d="M6 1 11.5 10.5H.5z" />,
  bad: <path d="M6 .5 11.5 6 6 11.5.5 6z" />,
};
