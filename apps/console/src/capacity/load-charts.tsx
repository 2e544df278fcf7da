import type { ReactNode } from 'react';
import type { LoadStatistics } from '../api/answers.js';
import { EmptyNote } from '../parts/notes.js';
import { wordsFor } from '../quality/dimensions.js';
import { texts } from '../texts/capacity.js';
import type { Measure } from './capacity-query.js';
import styles from './capacity.module.css';
import { LoadChart } from './load-chart.js';

interface LoadChartsProps {
  readonly answer: LoadStatistics;
  readonly measure: Measure;
  readonly values: readonly string[];
}

/** A chart of each value, each on a scale of its own: a limit of 10 calls could not be seen beside one of 1,000. */
export function LoadCharts({ answer, measure, values }: LoadChartsProps): ReactNode {
  const { by } = answer;
  if (by === null) return null;
  if (values.length === 0)
    return (
      <section className="card">
        <EmptyNote title={texts.noValues(wordsFor(by))}>{texts.noValuesAdvice}</EmptyNote>
      </section>
    );
  return (
    <div className={styles['charts']}>
      {values.map((value) => (
        <LoadChart key={value} answer={answer} of={{ by, value }} measure={measure} />
      ))}
    </div>
  );
}
