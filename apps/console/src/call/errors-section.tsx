import type { ReactNode } from 'react';
import type { Call, CallError } from '../api/answers.js';
import { Time } from '../parts/time/time.js';
import styles from './call-view.module.css';
import { explainError } from './explain-error.js';
import { texts } from '../texts/call.js';

/** Errors, and what they mean. */
export function ErrorsSection({ errors, end }: Pick<Call, 'errors' | 'end'>): ReactNode {
  return (
    <section className={`card ${styles['section']}`} aria-labelledby="errors">
      <h2 id="errors">{texts.errors}</h2>
      {errors.map((error) => (
        <OneError key={`${error.at} ${error.code} ${error.diagnostics?.text}`} error={error} by={end?.by} />
      ))}
    </section>
  );
}

interface OneErrorProps {
  readonly error: CallError;
  readonly by: Parameters<typeof explainError>[1];
}

function OneError({ error, by }: OneErrorProps): ReactNode {
  const { at, code, phrase, mediaType, frontEnds, diagnostics } = error;
  const meaning = explainError(error, by);
  return (
    <div className={styles['error']}>
      <p>
        <strong>{[code, phrase].filter((part) => part !== null).join(' ') || texts.error}</strong>
        {mediaType !== null && ` (${mediaType})`} <span className="muted">{frontEnds.join(', ')}</span>{' '}
        <span className="muted">
          <Time at={at} />
        </span>
      </p>
      {meaning !== undefined && <p>{meaning}</p>}
      {diagnostics !== null && (
        <p className="muted">
          {diagnostics.reason === null ? (
            <code>{diagnostics.text}</code>
          ) : (
            texts.reports(
              diagnostics.source ?? texts.reporters.server,
              diagnostics.code === null ? diagnostics.reason : `${diagnostics.reason} (${diagnostics.code})`,
            )
          )}
        </p>
      )}
    </div>
  );
}
