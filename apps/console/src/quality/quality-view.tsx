import { useMemo, type ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import sections from '../parts/sections.module.css';
import { HeatSection } from './heat-section.js';
import { MetricSections } from './metric-section.js';
import { Narrowing } from './narrowing.js';
import { QuestionBar } from './question-bar.js';
import { questionOf, viewOf, type Question } from './question.js';
import { TopLists } from './top-lists.js';
import { useTimeframe } from './use-statistics.js';
import { VerdictSection } from './verdict-section.js';

/** How good calls were over time, and where they were not. */
export function QualityView(): ReactNode {
  const [, navigate] = useLocation();
  useSearch();
  // Out of the address itself: what the router hands over is decoded by half.
  const { search } = location;
  const question = useMemo(() => questionOf(search), [search]);
  const frame = useTimeframe(question.period);
  const ask = (change: Partial<Question>): void => navigate(viewOf({ ...question, ...change }));
  return (
    <div className={sections['sections']}>
      <h1 className="unseen">Quality</h1>
      <QuestionBar question={question} onChange={ask} />
      <Narrowing value={question.texts}>
        <VerdictSection frame={frame} />
        <MetricSections frame={frame} />
        <TopLists frame={frame} />
        <HeatSection frame={frame} by={question.by} onChoose={(by) => ask({ by })} />
      </Narrowing>
    </div>
  );
}
