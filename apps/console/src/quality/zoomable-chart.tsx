import { use, useMemo, type ReactNode } from 'react';
import { BucketChart, type BucketChartProps } from '../charts/bucket-chart.js';
import { Zoom } from './narrowing.js';
import styles from './quality-view.module.css';
import { bucketMiddles, type TimeBucket } from './timeframe.js';

interface ZoomableChartProps extends Omit<BucketChartProps, 'times' | 'onSelect'> {
  /** A new list redraws the chart. */
  readonly buckets: readonly { readonly time: TimeBucket }[];
  /** Behind the chart, in the same frame. */
  readonly children?: ReactNode;
}

/** A chart over time; buckets selected by dragging become the period of the view. */
export function ZoomableChart({ buckets, children, ...chart }: ZoomableChartProps): ReactNode {
  const zoom = use(Zoom);
  const times = useMemo(() => bucketMiddles(buckets), [buckets]);
  const select = (first: number, last: number): void => {
    const [begin, end] = [buckets[first], buckets[last]];
    if (begin !== undefined && end !== undefined) zoom({ from: begin.time.from, to: end.time.to });
  };
  return (
    <div className={styles['chart']}>
      <BucketChart {...chart} times={times} onSelect={select} />
      {children}
    </div>
  );
}
