import type { ReactNode } from 'react';
import styles from './scroll-region.module.css';

/** What may be wider than the window: scrolled sideways by itself, with the keyboard as well. */
export function ScrollRegion({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is scrolled with the keyboard
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}
