import { useMemo, useState, type ReactNode } from 'react';
import type { Call, MetricSeries, TimelineItem } from '../../api/answers.js';
import { SeriesChart, type SeriesMark } from '../../charts/series-chart.js';
import { formatNumber, shownSipAddress } from '../../parts/format.js';
import { formatMetric } from '../../parts/metrics.js';
import { Time } from '../../parts/time/time.js';
import { GraphNumbers } from './graph-numbers.js';
import { GRAPH_TITLES } from './graph-titles.js';
import styles from './graph-section.module.css';
import { graphMarks, mediumGraphs, type GraphMark, type MediumGraphs, type MetricGraph } from './metric-graph.js';
import view from '../call-view.module.css';
import { texts } from '../../texts/call.js';

interface GraphSectionProps {
  readonly call: Call;
  readonly series: readonly MetricSeries[];
  readonly items: readonly TimelineItem[];
}

const HEIGHT = 130;

/** The reports during the call over its time: MOS, loss, jitter and round trip of each medium. */
export function GraphSection({ call, series, items }: GraphSectionProps): ReactNode {
  const media = useMemo(() => mediumGraphs(series, call.parties[0]), [series, call.parties]);
  const marks = useMemo(() => graphMarks(items, call), [items, call]);
  if (media.length === 0) return null;
  return (
    <section className={`card ${view['section']}`} aria-labelledby="graph">
      <h2 id="graph">{texts.duringCall}</h2>
      {media.map((medium) => (
        <MediumCharts key={`${medium.mediaType} ${medium.from?.uri} ${medium.to?.uri}`} medium={medium} marks={marks} />
      ))}
      <Legend marks={marks} />
    </section>
  );
}

function MediumCharts({
  medium,
  marks,
}: {
  readonly medium: MediumGraphs;
  readonly marks: readonly GraphMark[];
}): ReactNode {
  const { mediaType, graphs } = medium;
  const names = useMemo(() => directionNames(medium), [medium]);
  const range = useMemo(() => rangeOf(graphs, marks), [graphs, marks]);
  const drawn = useMemo(() => marks.map(drawnMark), [marks]);
  return (
    <div className={styles['medium']}>
      <p className={styles['names']}>
        <strong>{mediaType ?? texts.unknownMedium}</strong>
        <span className={styles['there']}>{names[0]}</span>
        <span className={styles['back']}>{names[1]}</span>
      </p>
      <div className={styles['charts']}>
        {graphs.map((graph) => (
          <MetricChart key={graph.key} graph={graph} names={names} marks={drawn} range={range} />
        ))}
      </div>
      <GraphNumbers graphs={graphs} names={names} />
    </div>
  );
}

type Names = readonly [there: string, back: string];

function directionNames({ from, to }: MediumGraphs): Names {
  const [one, other] = [from, to].map((end) => shownSipAddress(end?.uri) || (end?.ip ?? texts.unknown));
  return [`${one} → ${other}`, `${other} → ${one}`];
}

/** From the first to the last report, and to the end of the call. */
function rangeOf(graphs: readonly MetricGraph[], marks: readonly GraphMark[]): readonly [number, number] {
  const times = graphs.flatMap((graph) => [graph.times[0] ?? Infinity, graph.times.at(-1) ?? -Infinity]);
  const ends = marks.flatMap(({ kind, from }) => (kind === 'end' ? [from] : []));
  return [Math.min(...times), Math.max(...times, ...ends)];
}

const DRAWN: Readonly<Record<GraphMark['kind'], SeriesMark['kind']>> = { hold: 'area', change: 'dashed', end: 'line' };

function drawnMark({ kind, from, to }: GraphMark): SeriesMark {
  return { kind: DRAWN[kind], from, to };
}

interface MetricChartProps {
  readonly graph: MetricGraph;
  readonly names: Names;
  readonly marks: readonly SeriesMark[];
  readonly range: readonly [number, number];
}

function MetricChart({ graph, names, marks, range }: MetricChartProps): ReactNode {
  const { key, metric, unit, times, there, back } = graph;
  const [index, setIndex] = useState<number>();
  const values = useMemo(() => [there, back] as const, [there, back]);
  const shown = useMemo(() => (value: number) => formatMetric(metric, value, unit), [metric, unit]);
  const extent = (name: string, series: readonly (number | null)[]): string => {
    const known = series.filter((value) => value !== null);
    return known.length === 0 ? '' : texts.extent(name, shown(Math.min(...known)), shown(Math.max(...known)));
  };
  const label = [extent(names[0], there), extent(names[1], back)].filter((text) => text !== '').join(', ');
  return (
    <div>
      <Readout graph={graph} index={index} shown={shown} />
      <SeriesChart
        label={texts.metricDuringCall(GRAPH_TITLES[key], label)}
        times={times}
        values={values}
        marks={marks}
        range={range}
        valueRange={key === 'mos' ? 'used' : 'fromZero'}
        shown={shown}
        height={HEIGHT}
        group="call"
        onCursor={setIndex}
      />
    </div>
  );
}

interface ReadoutProps {
  readonly graph: MetricGraph;
  readonly index: number | undefined;
  readonly shown: (value: number) => string;
}

/** The values at the cursor, else the latest ones. */
function Readout({ graph: { key, times, there, back }, index, shown }: ReadoutProps): ReactNode {
  const at = index ?? times.length - 1;
  const valueOf = (values: readonly (number | null)[]): string => {
    const value = (index === undefined ? values.findLast((each) => each !== null) : values[at]) ?? null;
    return value === null ? '–' : shown(value);
  };
  return (
    <p className={styles['readout']}>
      <span>{GRAPH_TITLES[key]}</span>
      <span className={styles['there']}>{valueOf(there)}</span>
      {back.some((value) => value !== null) && <span className={styles['back']}>{valueOf(back)}</span>}
      <span className="muted">
        <Time at={(times[at] ?? 0) * 1000} />
      </span>
    </p>
  );
}

const MARKS: readonly GraphMark['kind'][] = ['hold', 'change', 'end'];

/** What the marks mean, and when they were. */
function Legend({ marks }: { readonly marks: readonly GraphMark[] }): ReactNode {
  const known = MARKS.map((kind) => ({ kind, own: marks.filter((mark) => mark.kind === kind) }));
  return (
    <ul className={styles['legend']} aria-label={texts.marks}>
      {known
        .filter(({ own }) => own.length > 0)
        .map(({ kind, own }) => (
          <li key={kind} data-kind={kind}>
            {texts.markKinds[kind]} <Time at={(own[0]?.from ?? 0) * 1000} />
            {own.length > 1 && ` ${texts.moreMarks(formatNumber(own.length - 1))}`}
          </li>
        ))}
    </ul>
  );
}
