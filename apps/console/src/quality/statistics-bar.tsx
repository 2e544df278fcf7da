import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { Period } from '../parts/time/period.js';
import { PeriodFields } from '../parts/time/period-fields.js';
import { AddFilter } from '../search/add-filter.js';
import { ConditionChips } from '../search/condition-chips.js';
import { withCondition, type Condition } from '../search/conditions.js';
import type { TextName } from '../search/fields.js';
import { filterConditions, dividedTexts, NO_CRITERIA, conditionCriteria, type Criteria } from '../search/filter.js';
import { RefusalNote } from '../search/refusal-note.js';
import { TextFields, textsIn } from '../search/text-fields.js';
import { useRefusal } from '../search/use-refusal.js';
import { texts as searchTexts } from '../texts/search.js';
import { chosenConditions, withoutCondition } from '../search/chosen-conditions.js';
import styles from './quality-view.module.css';
import { QUALITY_SPANS } from './quality-query.js';
import { STATISTICS } from './use-statistics.js';
import { texts } from '../texts/quality.js';

/** What all views of statistics have in their address. */
interface StatisticsQuery {
  readonly period: Period;
  readonly criteria: Criteria;
}

interface StatisticsBarProps {
  readonly query: StatisticsQuery;
  /** Fields that are always shown. */
  readonly always: readonly TextName[];
  /** Parameters of the address without an effect. */
  readonly unknown: readonly string[];
  readonly onChange: (change: Partial<StatisticsQuery>) => void;
  /** Fields of the view itself. */
  readonly children: ReactNode;
  /** More of them, in a row of their own. */
  readonly below?: ReactNode;
}

/** The time range and filters, as in the search. */
export function StatisticsBar({ query, always, unknown, onChange, children, below }: StatisticsBarProps): ReactNode {
  const { period, criteria } = query;
  const [isAdding, setAdding] = useState(false);
  const set = (change: Partial<Criteria>): void => onChange({ criteria: { ...criteria, ...change } });
  const { shown, others } = dividedTexts(criteria.texts, always);
  const refusal = useRefusal(STATISTICS);
  const remove = (removed: Condition): void => onChange({ criteria: withoutCondition(criteria, removed) });
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    set({ texts: textsIn(event.currentTarget, criteria.texts) });
  }
  return (
    <form className={`card ${styles['bar']}`} role="search" onSubmit={submit}>
      <PeriodFields period={period} spans={QUALITY_SPANS} onChange={(chosen) => onChange({ period: chosen })} />
      <TextFields
        names={always}
        hasSlash
        texts={shown}
        onChange={(chosen) => set({ texts: { ...others, ...chosen } })}
      />
      {children}
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
        {below}
        {refusal !== undefined && (
          <RefusalNote refusal={refusal} conditions={chosenConditions(criteria)} onRemove={remove} />
        )}
        <ConditionChips conditions={chosenConditions({ ...criteria, texts: others })} onRemove={remove} />
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
