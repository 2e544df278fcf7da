import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { ApiError } from '../api/api.js';
import styles from './notes.module.css';
import { texts } from '../texts/parts.js';

interface UnreadPageProps {
  readonly error: Error;
  readonly retry: () => void;
  /** Where else to look for what does not exist. */
  readonly children?: ReactNode;
}

/** In place of the page of something that could not be read: its heading says why. What does not exist is not asked for again. */
export function UnreadPage({ error, retry, children }: UnreadPageProps): ReactNode {
  const isAbsent = error instanceof ApiError && error.status === 404;
  return (
    <div className={styles['note']} role="alert">
      <h1>{error.message}</h1>
      {isAbsent ? (
        children !== undefined && <div className="muted">{children}</div>
      ) : (
        <Button className="button" onPress={retry}>
          {texts.tryAgain}
        </Button>
      )}
    </div>
  );
}
