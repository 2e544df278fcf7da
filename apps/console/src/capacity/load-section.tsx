import { use, type ReactNode } from 'react';
import type { LoadStatistics } from '../api/answers.js';
import { filled } from '../parts/filled.js';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { Narrowing } from '../quality/narrowing.js';
import { wordsFor } from '../quality/dimensions.js';
import { wholeTime } from '../quality/timeframe.js';
import { useTimeframe } from '../quality/use-statistics.js';
import { chosenConditions } from '../search/chosen-conditions.js';
import { useSignedIn } from '../services/services.js';
import { texts } from '../texts/capacity.js';
import styles from './capacity.module.css';
import type { CapacityQuery } from './capacity-query.js';
import { capacityRows, chartedValues, withToggled } from './capacity-rows.js';
import { CapacityTable } from './capacity-table.js';
import { NewLimitButton } from './limit-dialog.js';
import { LoadCharts } from './load-charts.js';
import { useLoad } from './use-load.js';
import { useTrunkLimits } from './use-limits.js';

const HEIGHT = 240;

interface LoadSectionProps {
  readonly query: CapacityQuery;
  readonly onChoose: (chosen: readonly string[]) => void;
}

/** Peaks of each value in a table, and a chart of each that is chosen. */
export function LoadSection({ query, onChoose }: LoadSectionProps): ReactNode {
  const { by, measure, chosen } = query;
  const frame = useTimeframe(query.period);
  const isNarrowed = chosenConditions(use(Narrowing)).length > 0;
  const isAdmin = useSignedIn().roles.includes('admin');
  const { data: limits = [], error } = useTrunkLimits(by === 'trunk');
  // With filters, a trunk without calls need not be idle.
  const idle = by === 'trunk' && !isNarrowed ? limits : [];
  const load = useLoad({ frame, by, wanted: [...chosen, ...idle.map(({ trunk }) => trunk)] });
  const words = wordsFor(by);
  return (
    <>
      <Section
        title={texts.loadBy(words)}
        query={load}
        height={HEIGHT}
        about={({ values }) => (values.length === 0 ? '' : texts.valueCount(values.length, words))}
        tools={isAdmin && by === 'trunk' ? <NewLimitButton limits={limits} /> : undefined}
      >
        {(answer) => {
          const rows = capacityRows(answer.values, answer.by === 'trunk' ? idle : []);
          const charted = chartedValues(rows, chosen);
          if (rows.length === 0) return <NoCalls />;
          return (
            <>
              <CapacityTable
                by={answer.by ?? by}
                time={wholeTime(answer)}
                rows={rows}
                charted={charted}
                onToggle={(value) => onChoose(withToggled(charted, value))}
                editable={isAdmin && error === null ? limits : undefined}
              />
              <p className={styles['foot']}>{footOf(answer, isAdmin, isNarrowed)}</p>
              {error !== null && <p role="alert">{texts.limitsFailed(error.message)}</p>}
            </>
          );
        }}
      </Section>
      {load.data !== undefined && load.data.values.length > 0 && (
        <LoadCharts answer={load.data} measure={measure} values={chartedValues(load.data.values, chosen)} />
      )}
    </>
  );
}

function NoCalls(): ReactNode {
  return <EmptyNote title={texts.noCalls}>{filled(texts.noCallsAdvice, <code>npm run demo</code>)}</EmptyNote>;
}

function footOf({ by, valuesLeftOut }: LoadStatistics, isAdmin: boolean, isNarrowed: boolean): string {
  return [
    ...(by !== null && valuesLeftOut > 0 ? [texts.leftOut(valuesLeftOut, wordsFor(by))] : []),
    texts.foot,
    ...(by === 'trunk' ? [texts.footOfLimits] : []),
    ...(by === 'trunk' && !isAdmin ? [texts.limitsByAdmins] : []),
    ...(by === 'trunk' && isNarrowed ? [texts.limitWithFilters] : []),
  ].join(' ');
}
