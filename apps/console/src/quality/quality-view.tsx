import { useMemo, type ReactNode } from 'react';
import { useLocation, useSearch } from 'wouter';
import sections from '../parts/sections.module.css';
import { AnsweredSection } from './answered-section.js';
import { ValueSections, WeekSections } from './comparison/compared-sections.js';
import type { Comparison } from './comparison/comparison.js';
import { HeatSection } from './heat-section.js';
import { MetricSections } from './metric-section.js';
import { MetricTable } from './metric-table.js';
import { Narrowing, ShownComparison, Zoom } from './narrowing.js';
import { Panels } from './panels.js';
import { QualityQueryBar } from './quality-query-bar.js';
import { readQualityQuery, qualityHref, unknownIn, type QualityQuery } from './quality-query.js';
import { SuspectsSection } from './suspects/suspects-section.js';
import { TopLists } from './top-lists.js';
import type { TimeBucket, Timeframe } from './timeframe.js';
import { useSuspects, useTimeframe } from './use-statistics.js';
import { VerdictSection } from './verdict-section.js';
import { texts } from '../texts/quality.js';

/** The quality of calls over time, and where it was bad. */
export function QualityView(): ReactNode {
  const [, navigate] = useLocation();
  useSearch();
  // Read from the address itself, because the router decodes it only partly.
  const { search } = location;
  const question = useMemo(() => readQualityQuery(search), [search]);
  const unknown = useMemo(() => unknownIn(search), [search]);
  const frame = useTimeframe(question.period);
  const changeQuestion = (change: Partial<QualityQuery>): void => navigate(qualityHref({ ...question, ...change }));
  function zoom({ from, to }: TimeBucket): void {
    const [begin, end] = [from, to].map((at) => new Date(at).toISOString());
    changeQuestion({ period: { span: undefined, from: begin ?? '', to: end ?? '' } });
  }
  return (
    <Narrowing value={question.criteria}>
      <ShownComparison value={question.comparison}>
        <Zoom value={zoom}>
          <div className={sections['sections']}>
            <h1 className="unseen">{texts.title}</h1>
            <QualityQueryBar question={question} frame={frame} unknown={unknown} onChange={changeQuestion} />
            <Panels>
              <Suspects frame={frame} />
              <Charts frame={frame} comparison={question.comparison} />
              <TopLists frame={frame} />
              <HeatSection frame={frame} by={question.by} onChoose={(by) => changeQuestion({ by })} />
              <MetricTable frame={frame} by={question.by} />
            </Panels>
          </div>
        </Zoom>
      </ShownComparison>
    </Narrowing>
  );
}

interface ChartsProps {
  readonly frame: Timeframe;
  readonly comparison: Comparison;
}

/** The charts over time: of all calls, or with one line for each value or week. */
function Charts({ frame, comparison }: ChartsProps): ReactNode {
  if (comparison.kind === 'values') return <ValueSections comparison={comparison} frame={frame} />;
  if (comparison.kind === 'weeks') return <WeekSections weeks={comparison.weeks} frame={frame} />;
  return (
    <>
      <VerdictSection frame={frame} />
      <AnsweredSection frame={frame} />
      <MetricSections frame={frame} />
    </>
  );
}

/** Within the filters of the view. */
function Suspects({ frame }: { readonly frame: Timeframe }): ReactNode {
  return <SuspectsSection query={useSuspects(frame)} />;
}
