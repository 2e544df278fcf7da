import { use, type ReactNode } from 'react';
import type { Dimension } from '../../api/answers.js';
import { EmptyNote } from '../../parts/notes.js';
import { Section } from '../../parts/section.js';
import { texts } from '../../texts/comparison.js';
import { Narrowing } from '../narrowing.js';
import type { Timeframe } from '../timeframe.js';
import { ANSWERED, BAD_STREAMS, METRICS } from './compared-charts.js';
import { ComparedSection } from './compared-section.js';
import styles from './comparison.module.css';
import { criteriaOfValues, type Line } from './lines.js';
import { useValueLines, useWeekLines, type ComparisonOfValues } from './use-lines.js';

interface OfFrame {
  readonly frame: Timeframe;
}

/** The charts over time with one line for each value of a dimension. */
export function ValueSections({ comparison, frame }: OfFrame & { readonly comparison: ComparisonOfValues }): ReactNode {
  const { lines, query } = useValueLines(comparison, frame);
  const criteria = use(Narrowing);
  if (lines === undefined || lines.length === 0) {
    return (
      <Section title={texts.lines} query={query}>
        {() => lines !== undefined && <EmptyNote title={texts.noLines} />}
      </Section>
    );
  }
  const { by } = comparison;
  const values = lines.map(({ key }) => key);
  return (
    <Narrowing value={criteriaOfValues(criteria, by, values)}>
      <ComparedSections lines={lines} by={by} />
    </Narrowing>
  );
}

/** The same with one line for each week. */
export function WeekSections({ weeks, frame }: OfFrame & { readonly weeks: number }): ReactNode {
  return <ComparedSections lines={useWeekLines(weeks, frame)} by={undefined} />;
}

interface ComparedSectionsProps {
  readonly lines: readonly Line[];
  readonly by: Dimension | undefined;
}

function ComparedSections({ lines, by }: ComparedSectionsProps): ReactNode {
  return (
    <>
      <p className={styles['note']}>{texts.marked}</p>
      <div className={styles['charts']}>
        <ComparedSection chart={BAD_STREAMS} lines={lines} by={by} />
        <ComparedSection chart={ANSWERED} lines={lines} by={by} />
        {METRICS.map((chart) => (
          <ComparedSection key={chart.title} chart={chart} lines={lines} by={by} />
        ))}
      </div>
    </>
  );
}
