import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Dimension, MetricItem, MetricStatistics } from '../api/answers.js';
import { EmptyNote } from '../parts/notes.js';
import { fieldWord } from '../search/fields.js';
import { Section } from '../parts/section.js';
import table from '../parts/wide-table.module.css';
import { WideTable } from '../parts/wide-table.js';
import { DRAWN_METRICS, type DrawnMetric } from './drawn-metrics.js';
import { useCallsBehind } from './narrowing.js';
import { wordsFor } from './dimensions.js';
import { wholeTime, type Timeframe } from './timeframe.js';
import { useMetricsBy } from './use-statistics.js';
import { texts } from '../texts/quality.js';

const METRICS = DRAWN_METRICS.map(({ metric }) => metric);
const ROWS = 20;
/** As many as the API gives: the first values of one metric need not be among those of another. */
const VALUES = 200;
const HEIGHT = 240;

interface MetricTableProps {
  readonly frame: Timeframe;
  readonly by: Dimension;
}

/** The metrics of each value of a dimension: MOS on average, the others as their 95th percentile. */
export function MetricTable({ frame, by }: MetricTableProps): ReactNode {
  const queries = useMetricsBy(METRICS, { frame, by, limit: VALUES });
  const [first] = queries;
  if (first === undefined) return null;
  const whole = queries.find(({ error }) => error !== null) ?? first;
  return (
    <Section title={texts.metricsBy(wordsFor(by))} query={whole} height={HEIGHT} about={metricTableCaption}>
      {(answer) => <Table answer={answer} by={answer.by ?? by} columns={queries.map(({ data }) => data)} />}
    </Section>
  );
}

function metricTableCaption(): string {
  return texts.metricsAbout;
}

interface TableProps {
  readonly answer: MetricStatistics;
  readonly by: Dimension;
  /** One for each metric. */
  readonly columns: readonly (MetricStatistics | undefined)[];
}

function Table({ answer, by, columns }: TableProps): ReactNode {
  const behind = useCallsBehind();
  const values = new Set(columns.flatMap((column) => column?.items.map(({ value }) => value) ?? []));
  if (values.size === 0) return <EmptyNote title={texts.noMeasurements} />;
  const time = wholeTime(answer);
  const shown = [...values].slice(0, ROWS);
  // At least: each metric may have left out others.
  const more = values.size - shown.length + Math.max(...columns.map((column) => column?.valuesLeftOut ?? 0));
  return (
    <>
      <WideTable label={texts.metricsTable(wordsFor(by))}>
        <thead>
          <tr>
            <th>{wordsFor(by).one}</th>
            {DRAWN_METRICS.map(({ metric, title }) => (
              <th key={metric} className={table['number']}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((value) => (
            <tr key={value ?? ''}>
              <th scope="row">
                {value === null ? (
                  <span className="muted">{texts.notKnown}</span>
                ) : (
                  <Link href={behind({ time, of: { by, value } })}>{fieldWord(by, value)}</Link>
                )}
              </th>
              {DRAWN_METRICS.map((drawn, index) => {
                const column = columns[index];
                const item = column?.items.find((each) => each.value === value);
                return <Cell key={drawn.metric} drawn={drawn} item={item} isWhole={column?.valuesLeftOut === 0} />;
              })}
            </tr>
          ))}
        </tbody>
      </WideTable>
      {more > 0 && <p className="muted">{texts.firstValues(more, wordsFor(by))}</p>}
    </>
  );
}

interface CellProps {
  readonly drawn: DrawnMetric;
  readonly item: MetricItem | undefined;
  /** Whether the answer has all values: one that is missing was not measured. */
  readonly isWhole: boolean;
}

function Cell({ drawn, item, isWhole }: CellProps): ReactNode {
  const className = table['number'];
  if (item === undefined) {
    return isWhole ? (
      <td className={className}>–</td>
    ) : (
      <td className={className} title={texts.notAmongFirst(VALUES)}>
        …
      </td>
    );
  }
  return (
    <td className={className} title={percentilesTitle(drawn, item)}>
      {drawn.shown(drawn.metric === 'mos' ? item.average : item.p95)}
    </td>
  );
}

function percentilesTitle({ what, shown }: DrawnMetric, { streams, p50, p95, max }: MetricItem): string {
  return texts.percentiles[what](streams, shown(p50), shown(p95), shown(max));
}
