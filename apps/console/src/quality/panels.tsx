import type { ReactNode } from 'react';
import { useRefusal } from '../search/use-refusal.js';
import styles from './quality-view.module.css';
import { STATISTICS } from './use-statistics.js';

/** All that the filters of a view select. While the API refuses them, the bar of the view says so, and nothing here. */
export function Panels({ children }: { readonly children: ReactNode }): ReactNode {
  const refusal = useRefusal(STATISTICS);
  return (
    <div className={styles['panels']} hidden={refusal !== undefined}>
      {children}
    </div>
  );
}
