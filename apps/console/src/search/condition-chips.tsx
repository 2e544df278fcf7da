import type { ReactNode } from 'react';
import chip from '../parts/chip.module.css';
import { texts } from '../texts/search.js';
import { searchConditionWords, type Condition } from './conditions.js';
import styles from './filter-bar.module.css';

interface ConditionChipsProps {
  readonly conditions: readonly Condition[];
  readonly onRemove: (condition: Condition) => void;
}

/** The conditions that have no field of their own; a click removes one. */
export function ConditionChips({ conditions, onRemove }: ConditionChipsProps): ReactNode {
  if (conditions.length === 0) return null;
  return (
    <ul className={styles['conditions']} aria-label={texts.filters}>
      {conditions.map((condition) => {
        const words = searchConditionWords(condition);
        return (
          <li key={`${condition.name} ${condition.value}`}>
            <button
              type="button"
              className={`${chip['chip']} ${styles['condition']}`}
              aria-label={texts.removeFilter(words)}
              title={words}
              onClick={() => onRemove(condition)}
            >
              <span>{words}</span> ×
            </button>
          </li>
        );
      })}
    </ul>
  );
}
