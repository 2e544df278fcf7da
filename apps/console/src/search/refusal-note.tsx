import type { ReactNode } from 'react';
import type { ApiError } from '../api/api.js';
import { texts } from '../texts/search.js';
import { searchConditionWords, type Condition } from './conditions.js';
import styles from './filter-bar.module.css';

interface RefusalNoteProps {
  readonly refusal: ApiError;
  /** All filters of the view. */
  readonly conditions: readonly Condition[];
  readonly onRemove: (condition: Condition) => void;
}

/** Which filters the API refuses, why, and what removes them: once, in place of everything that asks with them. */
export function RefusalNote({ refusal, conditions, onRemove }: RefusalNoteProps): ReactNode {
  const names = new Set(refusal.parameters.map(({ name }) => name));
  const wrong = conditions.filter(({ name }) => names.has(name));
  return (
    <div className={styles['refusal']} role="alert">
      <p>
        {wrong.length > 0 && <strong>{wrong.map(searchConditionWords).join(', ')}. </strong>}
        {reasonFor(refusal)}
      </p>
      {wrong.map((condition) => (
        <button
          key={`${condition.name} ${condition.value}`}
          className="button"
          type="button"
          onClick={() => onRemove(condition)}
        >
          {texts.removeFilter(searchConditionWords(condition))}
        </button>
      ))}
    </div>
  );
}

function reasonFor({ parameters, message }: ApiError): string {
  const isUnknownSite = parameters.some(({ name, code }) => name === 'site' && code === 'choice');
  return isUnknownSite ? `${texts.noSuchSite} ${texts.sitesDefined}` : message;
}
