import type { ReactNode } from 'react';
import { ScrollRegion } from './scroll-region.js';
import styles from './wide-table.module.css';

/** A table that is scrolled sideways where it does not fit, by keyboard as well. */
export function WideTable({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <ScrollRegion label={label}>
      <table className={styles['table']}>{children}</table>
    </ScrollRegion>
  );
}
