import { use, useId, useMemo, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { LoadStatistics } from '../api/answers.js';
import { Legend } from '../charts/legend.js';
import { formatBandwidth, formatNumber, formatRounded } from '../parts/format.js';
import head from '../parts/section.module.css';
import { bucketMark } from '../quality/calls-behind.js';
import { Narrowing } from '../quality/narrowing.js';
import { Numbers } from '../quality/numbers.js';
import { formatBucket } from '../quality/timeframe.js';
import { ZoomableChart } from '../quality/zoomable-chart.js';
import { fieldWord } from '../search/fields.js';
import { texts } from '../texts/capacity.js';
import { texts as qualityTexts } from '../texts/quality.js';
import { begunCalls, runningCalls, type LoadValue } from './calls-of-load.js';
import type { Measure } from './capacity-query.js';
import { loadBuckets, type LoadBucket } from './capacity-rows.js';
import styles from './capacity.module.css';

const HEIGHT = 150;

interface Drawn {
  readonly valueOf: (bucket: LoadBucket) => number;
  /** On the axis. Constant, because a new function redraws the chart. */
  readonly shown: (value: number) => string;
  readonly words: (value: number) => string;
  readonly hrefOf: typeof runningCalls;
}

const DRAWN: Readonly<Record<Measure, Drawn>> = {
  calls: {
    valueOf: ({ calls }) => calls,
    shown: (value) => (Number.isInteger(value) ? formatNumber(value) : ''),
    words: texts.callCount,
    hrefOf: runningCalls,
  },
  attempts: {
    valueOf: ({ attemptsPerSecond }) => attemptsPerSecond,
    shown: formatRounded,
    words: (value) => texts.attemptRate(formatRounded(value)),
    hrefOf: begunCalls,
  },
  bandwidth: {
    valueOf: ({ averageBandwidth }) => averageBandwidth,
    shown: formatBandwidth,
    words: formatBandwidth,
    hrefOf: runningCalls,
  },
};

interface LoadChartProps {
  readonly answer: LoadStatistics;
  readonly of: LoadValue;
  readonly measure: Measure;
}

/** The largest load of each bucket, with the limit as a line. */
export function LoadChart({ answer, of, measure }: LoadChartProps): ReactNode {
  const id = useId();
  const criteria = use(Narrowing);
  const { valueOf, shown, words, hrefOf } = DRAWN[measure];
  const buckets = useMemo(() => loadBuckets(answer, of.value), [answer, of.value]);
  const stored = answer.values.find(({ value }) => value === of.value)?.limit ?? null;
  // Only the number of calls has one.
  const limit = measure === 'calls' ? stored : null;
  const series = useMemo(
    () => [
      { colour: '--accent', values: buckets.map(valueOf) },
      ...(limit === null ? [] : [{ colour: '--bad', values: buckets.map(() => limit), isLimit: true }]),
    ],
    [buckets, valueOf, limit],
  );
  const name = fieldWord(of.by, of.value);
  const most = words(Math.max(0, ...buckets.map(valueOf)));
  const marks = buckets.map((bucket) =>
    bucketMark(bucket.time, words(valueOf(bucket)), ({ time }) => hrefOf(time, of, criteria)),
  );
  return (
    <section className="card" aria-labelledby={id}>
      <header className={head['head']}>
        <h2 id={id} className={styles['name']} dir="auto">
          {name}
        </h2>
        <span className="muted">{limit === null ? texts.atMost(most) : texts.atMostOf(most, formatNumber(limit))}</span>
      </header>
      {limit !== null && (
        <Legend
          lines={[
            { label: texts.measures[measure], colour: '--accent' },
            { label: texts.limit, colour: '--bad' },
          ]}
        />
      )}
      <ZoomableChart
        label={qualityTexts.overTime(name)}
        kind="area"
        buckets={buckets}
        series={series}
        shown={shown}
        height={HEIGHT}
        marks={marks}
      />
      <LoadNumbers of={of} name={name} buckets={buckets} />
    </section>
  );
}

interface LoadNumbersProps {
  readonly of: LoadValue;
  readonly name: string;
  readonly buckets: readonly LoadBucket[];
}

function LoadNumbers({ of, name, buckets }: LoadNumbersProps): ReactNode {
  const criteria = use(Narrowing);
  const heads = [texts.calls, texts.attempts, texts.attemptsPeak, texts.bandwidthPeak];
  return (
    <Numbers label={name} heads={heads}>
      {buckets.flatMap(({ time, calls, attempts, attemptsPerSecond, averageBandwidth }) => {
        if (calls === 0 && attempts === 0) return [];
        const when = formatBucket(time);
        return {
          time,
          cells: [
            [
              'calls',
              <Link key="c" href={runningCalls(time, of, criteria)} aria-label={texts.running(name, calls, when)}>
                {formatNumber(calls)}
              </Link>,
            ],
            [
              'attempts',
              <Link key="a" href={begunCalls(time, of, criteria)} aria-label={texts.begun(name, attempts, when)}>
                {formatNumber(attempts)}
              </Link>,
            ],
            ['rate', formatRounded(attemptsPerSecond)],
            ['bandwidth', formatBandwidth(averageBandwidth)],
          ],
        };
      })}
    </Numbers>
  );
}
