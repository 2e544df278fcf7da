import type { ReactNode } from 'react';
import { ScrollRegion } from './scroll-region.js';
import styles from './wide-table.module.css';

/** A table that scrolls sideways if it does not fit, also with the keyboard. */
export function WideTable({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <ScrollRegion label={label}>
      <table className={styles['table']}>{children}</table>
    </ScrollRegion>
  );
}
