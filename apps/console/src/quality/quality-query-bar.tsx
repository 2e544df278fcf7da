import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { PeriodFields } from '../parts/period-fields.js';
import { TextFields, textsIn } from '../search/text-fields.js';
import styles from './quality-view.module.css';
import { QUALITY_SPANS, type QualityQuery } from './quality-query.js';
import { STATISTICS } from './use-statistics.js';
import { texts } from '../texts/quality.js';

/** Fields that are always shown. */
const ALWAYS = ['frontEnd', 'address', 'site', 'userAgent', 'codec', 'connection'] as const;

interface QuestionBarProps {
  readonly question: QualityQuery;
  readonly onChange: (change: Partial<QualityQuery>) => void;
}

/** The time range and filters, as in the search. */
export function QualityQueryBar({
  question: { period, compare, texts: filters },
  onChange,
}: QuestionBarProps): ReactNode {
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    onChange({ texts: textsIn(event.currentTarget, filters) });
  }
  return (
    <form className={`card ${styles['bar']}`} role="search" onSubmit={submit}>
      <PeriodFields period={period} spans={QUALITY_SPANS} onChange={(chosen) => onChange({ period: chosen })} />
      <TextFields names={ALWAYS} hasSlash texts={filters} onChange={(chosen) => onChange({ texts: chosen })} />
      <label className={styles['compare']}>
        <input type="checkbox" checked={compare} onChange={(event) => onChange({ compare: event.target.checked })} />
        {texts.compare}
      </label>
      <span className={styles['end']}>
        <RefreshButton />
        <button className="button" type="button" onClick={() => onChange({ texts: {} })}>
          {texts.clear}
        </button>
        <button className="button primary" type="submit">
          {texts.apply}
        </button>
      </span>
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
