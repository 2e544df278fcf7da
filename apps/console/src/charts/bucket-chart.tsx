import { useCallback, useMemo, type ReactNode } from 'react';
import UPlot from 'uplot';
import { ChartMarks } from './chart-marks.js';
import { AXIS, faint, timeAxes, type ColourOf } from './chart-style.js';
import { Plot, type PlotOptions } from './plot.js';
import { axisRange, type ValueRange } from './value-range.js';

export interface BucketSeries {
  /** Custom property of the theme. A change redraws the chart. */
  readonly colour: string;
  /** One for each bucket; null if unknown. */
  readonly values: readonly (number | null)[];
  /** Of the period before: a dashed line, whatever the kind of the chart. */
  readonly isBefore?: boolean;
  /** One of several lines, told apart without its colour. */
  readonly isDashed?: boolean;
  /** A line at what the values should not exceed, whatever the kind of the chart. */
  readonly isLimit?: boolean;
}

export interface BucketMark {
  readonly key: string | number;
  /** Shown on hover. */
  readonly title: string;
  /** The search for the calls of the bucket. */
  readonly href: string;
}

export interface BucketChartProps {
  /** Text for screen readers; the numbers must be available elsewhere as well. */
  readonly label: string;
  /** `bars` are drawn over each other, the first at the back; `area` is one line with its area. */
  readonly kind: 'area' | 'bars' | 'lines';
  /** The middle of each bucket, in seconds since 1970. */
  readonly times: readonly number[];
  readonly series: readonly BucketSeries[];
  /** A new function redraws the chart. */
  readonly shown: (value: number) => string;
  readonly height: number;
  /** Of the values. Default: from zero. */
  readonly range?: ValueRange;
  readonly marks: readonly BucketMark[];
  /** Called when the first to the last of these buckets were selected by dragging. */
  readonly onSelect?: (first: number, last: number) => void;
}

/** Values of equal time intervals, each with a link to its calls. */
export function BucketChart({
  label,
  kind,
  times,
  series,
  shown,
  height,
  range = 'fromZero',
  marks,
  onSelect,
}: BucketChartProps): ReactNode {
  const data = useMemo(
    (): UPlot.AlignedData => [[...times], ...series.map(({ values }) => [...values])],
    [times, series],
  );
  const colours = series.map((each) => `${each.colour}/${lookOf(each)}`).join(' ');
  const options = useCallback<PlotOptions>(
    (colour: ColourOf) => bucketChartOptions({ colour, kind, colours: colours.split(' '), shown, range }),
    [kind, colours, shown, range],
  );
  return (
    <Plot label={label} options={options} data={data} height={height}>
      <ChartMarks marks={marks} onSelect={onSelect} />
    </Plot>
  );
}

function lookOf({ isBefore = false, isDashed = false, isLimit = false }: BucketSeries): string {
  if (isBefore) return 'before';
  if (isLimit) return 'limit';
  return isDashed ? 'dashed' : 'usual';
}

interface Look extends Pick<BucketChartProps, 'kind' | 'shown'> {
  readonly colour: ColourOf;
  readonly colours: readonly string[];
  readonly range: ValueRange;
}

function bucketChartOptions({ colour, kind, colours, shown, range }: Look): ReturnType<PlotOptions> {
  const bars = UPlot.paths.bars?.({ size: [0.8, 80] });
  return {
    legend: { show: false },
    cursor: { show: false },
    padding: [AXIS.top, AXIS.right, 0, 0],
    scales: {
      x: { range: (plot) => wholeBuckets(plot.data[0]) },
      y: { range: (_plot, low, high) => axisRange(range, low, high) },
    },
    axes: timeAxes(colour, shown),
    series: [
      {},
      ...colours.map((look): UPlot.Series => {
        const [name = '', style] = look.split('/');
        const drawn = colour(name);
        if (style === 'before') return { stroke: drawn, width: 1.5, dash: [5, 4], points: { show: false } };
        if (style === 'limit') return { stroke: drawn, width: 1.5, points: { show: false } };
        if (kind === 'area') return { stroke: drawn, fill: faint(drawn), width: 1.5, points: { show: false } };
        const dash = style === 'dashed' ? { dash: [6, 3] } : {};
        if (kind === 'lines')
          return { stroke: drawn, width: 1.5, points: { show: hasRoom, size: 4, fill: drawn }, ...dash };
        return { fill: drawn, width: 0, points: { show: false }, ...(bars === undefined ? {} : { paths: bars }) };
      }),
    ],
  };
}

/** Less would be a thick line. */
const LEAST_POINT_PX = 6;

/** Whether each value is a point of its own: one between unknown ones has no line. */
function hasRoom({ data, bbox }: UPlot): boolean {
  return bbox.width / devicePixelRatio >= LEAST_POINT_PX * data[0].length;
}

/** From the beginning of the first bucket to the end of the last one. */
function wholeBuckets(middles: UPlot.TypedArray | readonly number[]): [number, number] {
  const [first = 0, last = first] = [middles[0], middles.at(-1)];
  const half = middles.length < 2 ? 30 : (last - first) / (middles.length - 1) / 2;
  return [first - half, last + half];
}
