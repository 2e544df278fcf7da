import type { UseQueryResult } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { ErrorNote, LoadingNote } from './notes.js';
import styles from './section.module.css';
import { texts } from '../texts/parts.js';

export interface SectionProps<T> {
  readonly title: string;
  readonly query: UseQueryResult<T>;
  /** Beside the title. */
  readonly about?: (data: T) => ReactNode;
  /** Beside that, at the end. */
  readonly tools?: ReactNode;
  /** Expected height in pixels, so that the layout does not shift. */
  readonly height?: number;
  readonly children: (data: T) => ReactNode;
}

/** A part of a view with its own query: its failure does not hide the others. */
export function Section<T>({ title, query, about, tools, height = 140, children }: SectionProps<T>): ReactNode {
  const { data, error, isPlaceholderData, refetch } = query;
  const id = useId();
  return (
    <section className="card" aria-labelledby={id} aria-busy={isPlaceholderData}>
      <header className={styles['head']}>
        <h2 id={id}>{title}</h2>
        {data !== undefined && <span className="muted">{about?.(data)}</span>}
        {data !== undefined && error !== null && (
          <span className={styles['old']} role="status">
            {texts.olderData(error.message)}
          </span>
        )}
        {tools !== undefined && <div className={styles['tools']}>{tools}</div>}
      </header>
      <div className={isPlaceholderData ? styles['before'] : undefined} style={{ minHeight: height }}>
        {data !== undefined && children(data)}
        {data === undefined && error === null && <LoadingNote />}
        {data === undefined && error !== null && <ErrorNote error={error} retry={() => void refetch()} />}
      </div>
    </section>
  );
}
