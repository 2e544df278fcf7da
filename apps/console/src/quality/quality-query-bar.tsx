import type { FormEvent, ReactNode } from 'react';
import { PeriodFields } from '../parts/period-fields.js';
import { TextFields, textsIn } from '../search/text-fields.js';
import styles from './quality-view.module.css';
import { QUALITY_SPANS, type QualityQuery } from './quality-query.js';

/** Fields that are always shown. */
const ALWAYS = ['frontEnd', 'address', 'site', 'userAgent', 'codec', 'connection'] as const;

interface QuestionBarProps {
  readonly question: QualityQuery;
  readonly onChange: (change: Partial<QualityQuery>) => void;
}

/** The time range and filters, as in the search. */
export function QualityQueryBar({ question: { period, texts }, onChange }: QuestionBarProps): ReactNode {
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    onChange({ texts: textsIn(event.currentTarget, texts) });
  }
  return (
    <form className={`card ${styles['bar']}`} role="search" onSubmit={submit}>
      <PeriodFields period={period} spans={QUALITY_SPANS} onChange={(chosen) => onChange({ period: chosen })} />
      <TextFields names={ALWAYS} hasSlash texts={texts} onChange={(chosen) => onChange({ texts: chosen })} />
      <span className={styles['end']}>
        <button className="button" type="button" onClick={() => onChange({ texts: {} })}>
          Clear
        </button>
        <button className="button primary" type="submit">
          Show
        </button>
      </span>
    </form>
  );
}
