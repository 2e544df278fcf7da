import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import styles from './notes.module.css';
import { texts } from '../texts/parts.js';

/** Shown while data is loaded; after a short delay, so that fast answers do not flicker. */
export function LoadingNote({ children = texts.loading }: { readonly children?: ReactNode }): ReactNode {
  return (
    <div className={`${styles['note']} ${styles['late']}`} role="status">
      {children}
    </div>
  );
}

/** Shown when there is nothing, with the reason and what to do. */
export function EmptyNote({ title, children }: { readonly title: string; readonly children?: ReactNode }): ReactNode {
  return (
    <div className={styles['note']}>
      <strong>{title}</strong>
      {children !== undefined && <div className="muted">{children}</div>}
    </div>
  );
}

export interface ErrorNoteProps {
  readonly error: unknown;
  readonly retry?: () => void;
  readonly retryLabel?: string;
}

export function ErrorNote({ error, retry, retryLabel = texts.tryAgain }: ErrorNoteProps): ReactNode {
  return (
    <div className={styles['note']} role="alert">
      <strong>{error instanceof Error ? error.message : texts.failed}</strong>
      {retry !== undefined && (
        <Button className="button" onPress={retry}>
          {retryLabel}
        </Button>
      )}
    </div>
  );
}
