import { useCallback, useMemo, type ReactNode } from 'react';
import type UPlot from 'uplot';
import { AXIS, faint, timeAxes, type ColourOf } from './chart-style.js';
import { Plot, type PlotOptions } from './plot.js';
import { axisRange, type ValueRange } from './value-range.js';

/** A line or an area behind the values. */
export interface SeriesMark {
  readonly kind: 'area' | 'dashed' | 'line';
  /** Seconds since 1970. */
  readonly from: number;
  readonly to: number;
}

export interface SeriesChartProps {
  /** Text for screen readers; the numbers must be available elsewhere as well. */
  readonly label: string;
  /** Seconds since 1970, rising. */
  readonly times: readonly number[];
  /** The second one is dashed, and may have no values. */
  readonly values: readonly [readonly (number | null)[], readonly (number | null)[]];
  readonly marks: readonly SeriesMark[];
  /** Of the time axis, so that charts below each other have the same; a new one redraws the chart. */
  readonly range: readonly [number, number];
  /** Of the values. */
  readonly valueRange: ValueRange;
  /** A new function redraws the chart. */
  readonly shown: (value: number) => string;
  readonly height: number;
  /** Charts with the same name share their cursor. */
  readonly group: string;
  /** Called with the index of the time under the cursor; undefined outside of the chart. A new one redraws the chart. */
  readonly onCursor: (index: number | undefined) => void;
}

/** Two series of values over time, with marks. */
export function SeriesChart(props: SeriesChartProps): ReactNode {
  const { label, times, values, marks, range, valueRange, shown, height, group, onCursor } = props;
  const data = useMemo((): UPlot.AlignedData => [[...times], [...values[0]], [...values[1]]], [times, values]);
  const options = useCallback<PlotOptions>(
    (colour: ColourOf) => seriesChartOptions({ colour, marks, range, valueRange, shown, group, onCursor }),
    [marks, range, valueRange, shown, group, onCursor],
  );
  return <Plot label={label} options={options} data={data} height={height} />;
}

interface Look extends Pick<SeriesChartProps, 'marks' | 'range' | 'valueRange' | 'shown' | 'group' | 'onCursor'> {
  readonly colour: ColourOf;
}

/** So many reports are drawn as points too. */

const FEW = 80;

function seriesChartOptions({
  colour,
  marks,
  range: [from, to],
  valueRange,
  shown,
  group,
  onCursor,
}: Look): ReturnType<PlotOptions> {
  const line = (name: string, dash: number[]): UPlot.Series => ({
    stroke: colour(name),
    width: 1.5,
    dash,
    spanGaps: true,
    points: { show: (plot) => plot.data[0].length <= FEW, size: 4, fill: colour(name) },
  });
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 }, sync: { key: group } },
    padding: [AXIS.top, AXIS.right, 0, 0],
    scales: {
      x: { range: () => [from, to] },
      y: { range: (_plot, low, high) => axisRange(valueRange, low, high) },
    },
    axes: timeAxes(colour, shown),
    series: [{}, line('--accent', []), line('--second', [5, 4])],
    hooks: {
      drawClear: [(plot) => drawMarks(plot, marks, colour('--muted'))],
      setCursor: [({ cursor: { idx } }) => onCursor(idx ?? undefined)],
    },
  };
}

function drawMarks(plot: UPlot, marks: readonly SeriesMark[], colour: string): void {
  const { ctx, bbox } = plot;
  const [left, right] = [bbox.left, bbox.left + bbox.width];
  const placeOf = (time: number): number => Math.min(right, Math.max(left, plot.valToPos(time, 'x', true)));
  ctx.save();
  for (const { kind, from, to } of marks) {
    const begin = placeOf(from);
    ctx.fillStyle = faint(colour);
    ctx.strokeStyle = colour;
    if (kind === 'area') {
      ctx.fillRect(begin, bbox.top, placeOf(to) - begin, bbox.height);
      continue;
    }
    ctx.setLineDash(kind === 'dashed' ? [4 * devicePixelRatio, 4 * devicePixelRatio] : []);
    ctx.beginPath();
    ctx.moveTo(begin, bbox.top);
    ctx.lineTo(begin, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}
