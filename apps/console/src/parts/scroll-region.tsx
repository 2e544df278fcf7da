import type { ReactNode } from 'react';
import styles from './scroll-region.module.css';

/** Content that may be wider than the window: scrolls sideways on its own, also with the keyboard. */
export function ScrollRegion({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is scrolled with the keyboard
    <div className={styles['scroll']} tabIndex={0} role="region" aria-label={label}>
      {children}
    </div>
  );
}
