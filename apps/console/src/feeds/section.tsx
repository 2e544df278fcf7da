import type { UseQueryResult } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { ErrorNote, LoadingNote } from '../parts/notes.js';
import { ScrollRegion } from '../parts/scroll-region.js';
import styles from './feeds-view.module.css';

export interface SectionProps<T> {
  readonly title: string;
  readonly query: UseQueryResult<T>;
  /** Beside the title. */
  readonly about?: (data: T) => ReactNode;
  readonly children: (data: T) => ReactNode;
}

/** One part of the view with its own answer: that one is missing does not take the others away. */
export function Section<T>({ title, query, about, children }: SectionProps<T>): ReactNode {
  const { data, error, refetch } = query;
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <header className={styles['head']}>
        <h2 id={id}>{title}</h2>
        {data !== undefined && <span className="muted">{about?.(data)}</span>}
        {data !== undefined && error !== null && (
          <span className={styles['old']} role="status">
            {error.message} What you see is older.
          </span>
        )}
      </header>
      {data === undefined ? <Missing error={error} retry={() => void refetch()} /> : children(data)}
    </section>
  );
}

function Missing({ error, retry }: { readonly error: Error | null; readonly retry: () => void }): ReactNode {
  return (
    <div className={styles['missing']}>
      {error === null ? <LoadingNote /> : <ErrorNote error={error} retry={retry} />}
    </div>
  );
}

/** A table that is scrolled sideways where it does not fit, by keyboard as well. */
export function WideTable({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactNode {
  return (
    <ScrollRegion label={label}>
      <table className={styles['table']}>{children}</table>
    </ScrollRegion>
  );
}
