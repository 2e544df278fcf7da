import { useCallback, useMemo, type ReactNode } from 'react';
import type UPlot from 'uplot';
import { AXIS, faint, timeAxes, type ColourOf } from './chart-style.js';
import { Plot, type PlotOptions } from './plot.js';

export interface TimeChartProps {
  /** Text for screen readers. */
  readonly label: string;
  /** Seconds since 1970, rising. */
  readonly times: readonly number[];
  readonly values: readonly number[];
  /** A new function redraws the chart. */
  readonly shown: (value: number) => string;
  readonly height: number;
}

/** One value over time as a line with its area, in the colours of the theme. */
export function TimeChart({ label, times, values, shown, height }: TimeChartProps): ReactNode {
  const data = useMemo((): UPlot.AlignedData => [[...times], [...values]], [times, values]);
  const options = useCallback<PlotOptions>((colour: ColourOf) => optionsOf(colour, shown), [shown]);
  return <Plot label={label} options={options} data={data} height={height} />;
}

function optionsOf(colour: ColourOf, shown: (value: number) => string): ReturnType<PlotOptions> {
  const accent = colour('--accent');
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
    padding: [AXIS.top, 0, 0, 0],
    scales: { y: { range: (_plot, _low, high) => [0, Math.max(1, high * 1.1)] } },
    axes: timeAxes(colour, shown),
    series: [{}, { stroke: accent, fill: faint(accent), width: 1.5, points: { show: false } }],
  };
}
