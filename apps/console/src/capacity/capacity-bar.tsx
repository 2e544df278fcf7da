import type { ReactNode } from 'react';
import { LOAD_DIMENSIONS } from '../api/catalogue.js';
import fields from '../parts/field.module.css';
import { wordsFor } from '../quality/dimensions.js';
import { StatisticsBar } from '../quality/statistics-bar.js';
import type { TextName } from '../search/fields.js';
import { texts } from '../texts/capacity.js';
import { loadDimensionOf, measureOf, MEASURES, type CapacityQuery } from './capacity-query.js';

const ALWAYS = ['trunk', 'site', 'frontEnd', 'pool'] as const satisfies readonly TextName[];

interface CapacityBarProps {
  readonly query: CapacityQuery;
  /** Parameters of the address without an effect. */
  readonly unknown: readonly string[];
  readonly onChange: (change: Partial<CapacityQuery>) => void;
}

/** The time range and filters, what the load is divided by, and what the charts show. */
export function CapacityBar({ query, unknown, onChange }: CapacityBarProps): ReactNode {
  const { by, measure } = query;
  return (
    <StatisticsBar query={query} always={ALWAYS} unknown={unknown} onChange={onChange}>
      <label className={fields['label']}>
        {texts.dividedBy}
        <select
          className="field"
          value={by}
          // Values of another dimension have no charts.
          onChange={(event) => onChange({ by: loadDimensionOf(event.target.value) ?? by, chosen: [] })}
        >
          {LOAD_DIMENSIONS.map((dimension) => (
            <option key={dimension} value={dimension}>
              {wordsFor(dimension).by}
            </option>
          ))}
        </select>
      </label>
      <label className={fields['label']}>
        {texts.show}
        <select
          className="field"
          value={measure}
          onChange={(event) => onChange({ measure: measureOf(event.target.value) ?? measure })}
        >
          {MEASURES.map((each) => (
            <option key={each} value={each}>
              {texts.measures[each]}
            </option>
          ))}
        </select>
      </label>
    </StatisticsBar>
  );
}
