import type { ReactNode } from 'react';
import fields from '../parts/field.module.css';
import { texts } from '../texts/live.js';
import styles from './facet-bar.module.css';
import { GROUPS, SORTS, type LiveGroup, type LiveQuery, type LiveSort } from './live-query.js';

interface ArrangementFieldsProps {
  readonly sort: LiveSort;
  readonly group: LiveGroup;
  readonly onChange: (change: Partial<LiveQuery>) => void;
  /** At the end of the line. */
  readonly children?: ReactNode;
}

/** How the list is sorted and grouped. */
export function ArrangementFields({ sort, group, onChange, children }: ArrangementFieldsProps): ReactNode {
  const choose = (value: string): void => {
    const chosen = SORTS.find((each) => each.sort === value);
    if (chosen !== undefined) onChange({ sort: chosen.sort });
  };
  const groupBy = (value: string): void => {
    const chosen = GROUPS.find((each) => each.group === value);
    if (chosen !== undefined) onChange({ group: chosen.group });
  };
  return (
    <div className={styles['arrangement']}>
      <label className={fields['label']}>
        {texts.sort}
        <select className="field" value={sort} onChange={(event) => choose(event.target.value)}>
          {SORTS.map(({ sort: value, words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label className={fields['label']}>
        {texts.group}
        <select className="field" value={group} onChange={(event) => groupBy(event.target.value)}>
          {GROUPS.map(({ group: value, words }) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      {children}
    </div>
  );
}
