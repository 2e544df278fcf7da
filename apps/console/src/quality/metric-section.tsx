import { useMemo, type ReactNode } from 'react';
import type { MetricStatistics, StreamMetric } from '../api/answers.js';
import { BucketChart } from '../charts/bucket-chart.js';
import { formatNumber } from '../parts/format.js';
import { metricName, formatMetric } from '../parts/metrics.js';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { bucketMark } from './calls-behind.js';
import { DistributionChart } from './distribution-chart.js';
import { boundOfMost, metricBuckets, percentileSeries, PERCENTILES, type MetricBucket } from './metric-series.js';
import styles from './metrics.module.css';
import { useCallsBehind } from './narrowing.js';
import { CountLink, Numbers } from './numbers.js';
import view from './quality-view.module.css';
import { middlesOf, type Timeframe } from './timeframe.js';
import { useMetric } from './use-statistics.js';

type DrawnMetric = 'loss' | 'jitter' | 'roundTrip';

/** The record element of the metric, which has a readable name and a unit. */
const ELEMENTS: Readonly<Record<DrawnMetric, string>> = {
  loss: 'PacketLossRate',
  jitter: 'JitterInterArrival',
  roundTrip: 'RoundTrip',
};
const METRICS: readonly DrawnMetric[] = ['loss', 'jitter', 'roundTrip'];
/** The others are only in the numbers: more lines could not be distinguished. */
const DRAWN = [
  { percentile: 'p50', colour: '--muted' },
  { percentile: 'p95', colour: '--accent' },
  { percentile: 'p99', colour: '--bad' },
] as const;
const CHART_HEIGHT = 130;
const WHOLE_HEIGHT = CHART_HEIGHT + 184;

/** Loss, jitter and round trip: percentiles over time, and below them the distribution of streams. */
export function MetricSections({ frame }: { readonly frame: Timeframe }): ReactNode {
  return (
    <div className={styles['metrics']}>
      {METRICS.map((metric) => (
        <MetricSection key={metric} metric={metric} frame={frame} />
      ))}
    </div>
  );
}

function MetricSection({ metric, frame }: { readonly metric: DrawnMetric; readonly frame: Timeframe }): ReactNode {
  const query = useMetric({ frame, bucketSeconds: frame.coarse, metric });
  return (
    <Section title={metricName(ELEMENTS[metric])} query={query} about={mostOf} height={WHOLE_HEIGHT}>
      {(answer) => <Metric answer={answer} name={metricName(ELEMENTS[metric])} />}
    </Section>
  );
}

function mostOf(answer: MetricStatistics): ReactNode {
  const bound = boundOfMost(answer);
  if (answer.items.length === 0) return '';
  return bound === undefined
    ? `p95 above ${shownFor(answer.metric)(answer.bounds.at(-1) ?? 0)}`
    : `p95 at most ${shownFor(answer.metric)(bound)}`;
}

/** Constant functions, because a new function redraws the chart. */
const shown: Readonly<Partial<Record<StreamMetric, (value: number) => string>>> = {
  loss: (value) => formatMetric(ELEMENTS.loss, value),
  jitter: (value) => formatMetric(ELEMENTS.jitter, value),
  roundTrip: (value) => formatMetric(ELEMENTS.roundTrip, value),
};

function shownFor(metric: StreamMetric): (value: number) => string {
  return shown[metric] ?? formatNumber;
}

function Metric({ answer, name }: { readonly answer: MetricStatistics; readonly name: string }): ReactNode {
  const { metric, bounds } = answer;
  const shownValue = shownFor(metric);
  const behind = useCallsBehind();
  const buckets = useMemo(() => metricBuckets(answer), [answer]);
  const times = useMemo(() => middlesOf(buckets), [buckets]);
  const series = useMemo(
    () => DRAWN.map(({ percentile, colour }) => ({ colour, values: percentileSeries(buckets, percentile) })),
    [buckets],
  );
  if (answer.items.length === 0) return <EmptyNote title="No measurements in this period." />;
  const classes = classesOf(bounds, shownValue);
  const marks = buckets.map((bucket) => bucketMark(bucket.time, wordsFor(bucket, shownValue), behind));
  return (
    <>
      <ul className={styles['legend']}>
        {DRAWN.map(({ percentile }) => (
          <li key={percentile} className={styles[percentile]}>
            {percentile}
          </li>
        ))}
      </ul>
      <div className={view['chart']}>
        <BucketChart
          label={`${name}, percentiles over time; the numbers stand below`}
          kind="lines"
          times={times}
          series={series}
          shown={shownValue}
          height={CHART_HEIGHT}
          marks={marks}
        />
        <DistributionChart classes={classes} columns={buckets} marks={marks} />
      </div>
      <Numbers label={name} heads={['Streams', 'Average', ...PERCENTILES, 'Most', ...classes]}>
        {buckets.flatMap(({ time, item }) => {
          if (item === undefined) return [];
          const values = [item.average, ...PERCENTILES.map((percentile) => item[percentile]), item.max];
          return {
            time,
            cells: [
              ['streams', <CountLink key="streams" count={item.streams} what="streams" time={time} />],
              ...values.map((value, index): [string, ReactNode] => [`value ${index}`, shownValue(value)]),
              ...item.distribution.map((count, place): [string, ReactNode] => [`class ${place}`, formatNumber(count)]),
            ],
          };
        })}
      </Numbers>
    </>
  );
}

/** `≤ 1 %` for each bound, and `> …` for the last class. */
function classesOf(bounds: readonly number[], shownValue: (value: number) => string): readonly string[] {
  return [...bounds.map((bound) => `≤ ${shownValue(bound)}`), `> ${shownValue(bounds.at(-1) ?? 0)}`];
}

function wordsFor({ item }: MetricBucket, shownValue: (value: number) => string): string {
  if (item === undefined) return 'not measured';
  return DRAWN.map(({ percentile }) => `${percentile} ${shownValue(item[percentile])}`).join(', ');
}
