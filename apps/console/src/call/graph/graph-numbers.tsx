import { useState, type ReactNode } from 'react';
import { formatNumber } from '../../parts/format.js';
import { formatMetric } from '../../parts/metrics.js';
import { ScrollRegion } from '../../parts/scroll-region.js';
import { Time } from '../../parts/time/time.js';
import type { MetricGraph } from './metric-graph.js';
import view from '../call-view.module.css';
import { GRAPH_TITLES } from './graph-titles.js';
import { texts } from '../../texts/call.js';

/** Rows of the table, the newest of them: a call of a day has thousands of reports. */
const MOST = 300;

interface GraphNumbersProps {
  readonly graphs: readonly MetricGraph[];
  readonly names: readonly [there: string, back: string];
}

/** The same values as a table, for the keyboard and for screen readers; drawn when it is opened. */
export function GraphNumbers({ graphs, names }: GraphNumbersProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="muted">{texts.numbers}</summary>
      {isOpen && <NumberTable graphs={graphs} names={names} />}
    </details>
  );
}

function NumberTable({ graphs, names }: GraphNumbersProps): ReactNode {
  const times = [...new Set(graphs.flatMap((graph) => graph.times))].toSorted((a, b) => a - b);
  const columns = graphs.flatMap((graph) => {
    const places = new Map(graph.times.map((time, index) => [time, index]));
    return (['there', 'back'] as const).map((side, index) => ({
      key: `${graph.key} ${side}`,
      title: `${GRAPH_TITLES[graph.key]}, ${names[index]}`,
      cellAt: (time: number) => {
        const value = graph[side][places.get(time) ?? -1];
        return typeof value === 'number' ? formatMetric(graph.metric, value, graph.unit) : '–';
      },
    }));
  });
  return (
    <ScrollRegion label={texts.numbersOf(names[0])}>
      <table className={view['table']}>
        <thead>
          <tr>
            <th scope="col">{texts.time}</th>
            {columns.map(({ key, title }) => (
              <th key={key} scope="col" className={view['number']}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {times.slice(-MOST).map((time) => (
            <tr key={time}>
              <td>
                <Time at={time * 1000} />
              </td>
              {columns.map(({ key, cellAt }) => (
                <td key={key} className={view['number']}>
                  {cellAt(time)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {times.length > MOST && <p className="muted">{texts.latest(formatNumber(MOST), formatNumber(times.length))}</p>}
    </ScrollRegion>
  );
}
