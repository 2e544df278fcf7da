import { useMemo, type ReactNode } from 'react';
import type { MetricStatistics } from '../api/answers.js';
import { Legend } from '../charts/legend.js';
import { formatNumber } from '../parts/format.js';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { bucketMark } from './calls-behind.js';
import { DistributionChart } from './distribution-chart.js';
import { DRAWN_METRICS, lineWords, metricSummary, type DrawnMetric } from './drawn-metrics.js';
import { bucketsBefore, metricBuckets, PERCENTILES, bucketValues } from './metric-series.js';
import styles from './metrics.module.css';
import { useCallsBehind } from './narrowing.js';
import { CountLink, Numbers } from './numbers.js';
import type { Timeframe } from './timeframe.js';
import { ZoomableChart } from './zoomable-chart.js';
import { useMetric } from './use-statistics.js';
import { texts } from '../texts/quality.js';

const CHART_HEIGHT = 130;
const WHOLE_HEIGHT = CHART_HEIGHT + 184;

/** MOS, loss, jitter, round trip and ring time: lines over time, and below them the distribution of what was measured. */
export function MetricSections({ frame }: { readonly frame: Timeframe }): ReactNode {
  return (
    <div className={styles['metrics']}>
      {DRAWN_METRICS.map((drawn) => (
        <MetricSection key={drawn.metric} drawn={drawn} frame={frame} />
      ))}
    </div>
  );
}

interface MetricSectionProps {
  readonly drawn: DrawnMetric;
  readonly frame: Timeframe;
}

function MetricSection({ drawn, frame }: MetricSectionProps): ReactNode {
  const query = useMetric({ frame, bucketSeconds: frame.coarse, metric: drawn.metric });
  return (
    <Section title={drawn.title} query={query} about={(answer) => metricSummary(answer, drawn)} height={WHOLE_HEIGHT}>
      {(answer) => <Metric answer={answer} drawn={drawn} />}
    </Section>
  );
}

function Metric({ answer, drawn }: { readonly answer: MetricStatistics; readonly drawn: DrawnMetric }): ReactNode {
  const { lines, shown, range, title, what } = drawn;
  const behind = useCallsBehind();
  const buckets = useMemo(() => metricBuckets(answer), [answer]);
  const before = useMemo(() => bucketsBefore(answer), [answer]);
  const series = useMemo(() => {
    const now = lines.map(({ value, colour }) => ({ colour, values: bucketValues(buckets, value) }));
    const earlier = lines.map(({ value, colour }) => ({
      colour,
      values: bucketValues(before ?? [], value),
      isBefore: true,
    }));
    return before === undefined ? now : [...now, ...earlier];
  }, [lines, buckets, before]);
  if (answer.items.length === 0) return <EmptyNote title={texts.noMeasurements} />;
  const classes = classesOf(answer.bounds, shown);
  const marks = buckets.map(({ time, item }, index) => {
    const now = lineWords(drawn, item);
    const words = before === undefined ? now : texts.withBefore(now, lineWords(drawn, before[index]?.item));
    return bucketMark(time, words, behind);
  });
  return (
    <>
      <Legend
        lines={[
          ...lines.map(({ value, colour }) => ({ label: texts.lines[value], colour })),
          ...(before === undefined ? [] : [{ label: texts.periodBefore, colour: '--muted', isDashed: true }]),
        ]}
      />
      <ZoomableChart
        label={texts.overTime(title)}
        kind="lines"
        buckets={buckets}
        series={series}
        shown={shown}
        height={CHART_HEIGHT}
        range={range}
        marks={marks}
      >
        <DistributionChart classes={classes} columns={buckets} marks={marks} />
      </ZoomableChart>
      <Numbers label={title} heads={[texts.measuredOnce[what], texts.average, ...PERCENTILES, texts.max, ...classes]}>
        {buckets.flatMap(({ time, item }) => {
          if (item === undefined) return [];
          const values = [item.average, ...PERCENTILES.map((percentile) => item[percentile]), item.max];
          return {
            time,
            cells: [
              ['count', <CountLink key="count" count={item.streams} counted={texts.counted[what]} time={time} />],
              ...values.map((value, index): [string, ReactNode] => [`value ${index}`, shown(value)]),
              ...item.distribution.map((count, place): [string, ReactNode] => [`class ${place}`, formatNumber(count)]),
            ],
          };
        })}
      </Numbers>
    </>
  );
}

/** `≤ 1 %` for each bound, and `> …` for the last class. */
function classesOf(bounds: readonly number[], shown: (value: number) => string): readonly string[] {
  return [...bounds.map((bound) => `≤ ${shown(bound)}`), `> ${shown(bounds.at(-1) ?? 0)}`];
}
