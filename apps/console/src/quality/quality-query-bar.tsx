import type { ReactNode } from 'react';
import type { TextName } from '../search/fields.js';
import { ComparisonField, LineFields } from './comparison/comparison-fields.js';
import type { QualityQuery } from './quality-query.js';
import { StatisticsBar } from './statistics-bar.js';
import type { Timeframe } from './timeframe.js';

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

/** The time range and filters, and what is compared. */
export function QualityQueryBar({ question, frame, unknown, onChange }: QuestionBarProps): ReactNode {
  const { comparison } = question;
  const lines = comparison.kind === 'values' && (
    <LineFields comparison={comparison} frame={frame} onChange={(chosen) => onChange({ comparison: chosen })} />
  );
  return (
    <StatisticsBar query={question} always={ALWAYS} unknown={unknown} below={lines} onChange={onChange}>
      <ComparisonField comparison={comparison} onChange={(chosen) => onChange({ comparison: chosen })} />
    </StatisticsBar>
  );
}
