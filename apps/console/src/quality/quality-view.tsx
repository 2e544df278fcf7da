import { useMemo, type ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import sections from '../parts/sections.module.css';
import { HeatSection } from './heat-section.js';
import { MetricSections } from './metric-section.js';
import { Narrowing } from './narrowing.js';
import { QualityQueryBar } from './quality-query-bar.js';
import { readQualityQuery, qualityHref, type QualityQuery } from './quality-query.js';
import { TopLists } from './top-lists.js';
import { useTimeframe } from './use-statistics.js';
import { VerdictSection } from './verdict-section.js';

/** The quality of calls over time, and where it was bad. */
export function QualityView(): ReactNode {
  const [, navigate] = useLocation();
  useSearch();
  // Read from the address itself, because the router decodes it only partly.
  const { search } = location;
  const question = useMemo(() => readQualityQuery(search), [search]);
  const frame = useTimeframe(question.period);
  const changeQuestion = (change: Partial<QualityQuery>): void => navigate(qualityHref({ ...question, ...change }));
  return (
    <div className={sections['sections']}>
      <h1 className="unseen">Quality</h1>
      <QualityQueryBar question={question} onChange={changeQuestion} />
      <Narrowing value={question.texts}>
        <VerdictSection frame={frame} />
        <MetricSections frame={frame} />
        <TopLists frame={frame} />
        <HeatSection frame={frame} by={question.by} onChoose={(by) => changeQuestion({ by })} />
      </Narrowing>
    </div>
  );
}
