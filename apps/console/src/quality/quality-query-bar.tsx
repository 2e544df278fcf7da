import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { PeriodFields } from '../parts/time/period-fields.js';
import { AddFilter } from '../search/add-filter.js';
import { ConditionChips } from '../search/condition-chips.js';
import { withCondition } from '../search/conditions.js';
import type { TextName } from '../search/fields.js';
import { filterConditions, dividedTexts, NO_CRITERIA, conditionCriteria } from '../search/filter.js';
import { TextFields, textsIn } from '../search/text-fields.js';
import { texts as searchTexts } from '../texts/search.js';
import { chosenConditions, withoutCondition } from '../search/chosen-conditions.js';
import { ComparisonField, LineFields } from './comparison/comparison-fields.js';
import styles from './quality-view.module.css';
import type { Timeframe } from './timeframe.js';
import { QUALITY_SPANS, type QualityQuery } from './quality-query.js';
import { STATISTICS } from './use-statistics.js';
import { texts } from '../texts/quality.js';

/** Fields that are always shown. */
const ALWAYS = [
  'frontEnd',
  'address',
  'site',
  'userAgent',
  'codec',
  'connection',
] as const satisfies readonly TextName[];

interface QuestionBarProps {
  readonly question: QualityQuery;
  /** The time range of the period. */
  readonly frame: Timeframe;
  /** Parameters of the address without an effect. */
  readonly unknown: readonly string[];
  readonly onChange: (change: Partial<QualityQuery>) => void;
}

/** The time range and filters, as in the search. */
export function QualityQueryBar({
  question: { period, comparison, criteria },
  frame,
  unknown,
  onChange,
}: QuestionBarProps): ReactNode {
  const [isAdding, setAdding] = useState(false);
  const set = (change: Partial<QualityQuery['criteria']>): void => onChange({ criteria: { ...criteria, ...change } });
  const { shown, others } = dividedTexts(criteria.texts, ALWAYS);
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    set({ texts: textsIn(event.currentTarget, criteria.texts) });
  }
  return (
    <form className={`card ${styles['bar']}`} role="search" onSubmit={submit}>
      <PeriodFields period={period} spans={QUALITY_SPANS} onChange={(chosen) => onChange({ period: chosen })} />
      <TextFields
        names={ALWAYS}
        hasSlash
        texts={shown}
        onChange={(chosen) => set({ texts: { ...others, ...chosen } })}
      />
      <ComparisonField comparison={comparison} onChange={(chosen) => onChange({ comparison: chosen })} />
      <span className={styles['end']}>
        <RefreshButton />
        <button
          className="button"
          type="button"
          aria-expanded={isAdding}
          onClick={() => setAdding((before) => !before)}
        >
          {searchTexts.moreFilters}
        </button>
        <button className="button" type="button" onClick={() => onChange({ criteria: NO_CRITERIA })}>
          {texts.clear}
        </button>
        <button className="button primary" type="submit">
          {texts.apply}
        </button>
      </span>
      <div className={styles['whole']}>
        {comparison.kind === 'values' && (
          <LineFields comparison={comparison} frame={frame} onChange={(chosen) => onChange({ comparison: chosen })} />
        )}
        <ConditionChips
          conditions={chosenConditions({ ...criteria, texts: others })}
          onRemove={(removed) => onChange({ criteria: withoutCondition(criteria, removed) })}
        />
        {isAdding && (
          <AddFilter onAdd={(added) => set(conditionCriteria(withCondition(filterConditions(criteria), added)))} />
        )}
        {unknown.length > 0 && <p role="note">{searchTexts.ignored(unknown.join(', '))}</p>}
      </div>
    </form>
  );
}

/** Reads all statistics again, which also happens every minute. */
function RefreshButton(): ReactNode {
  const queries = useQueryClient();
  const isReading = useIsFetching({ queryKey: STATISTICS }) > 0;
  return (
    <button
      className="button"
      type="button"
      aria-disabled={isReading}
      onClick={() => void queries.invalidateQueries({ queryKey: STATISTICS })}
    >
      {isReading ? texts.refreshing : texts.refresh}
    </button>
  );
}
