import { useMemo, type ReactNode } from 'react';
import { VERDICTS } from '../api/calls.js';
import type { StreamStatistics, Verdict } from '../api/answers.js';
import { Legend } from '../charts/legend.js';
import { VerdictBadge } from '../parts/badges.js';
import { filled } from '../parts/filled.js';
import { formatNumber } from '../parts/format.js';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { bucketMark } from './calls-behind.js';
import { useCallsBehind } from './narrowing.js';
import { CountLink, Numbers } from './numbers.js';
import styles from './quality-view.module.css';
import { bucketInUtc, formatBucket, wholeTime, type Timeframe } from './timeframe.js';
import { ZoomableChart } from './zoomable-chart.js';
import { useStreams } from './use-statistics.js';
import {
  NO_STREAMS,
  stacked,
  streamsIn,
  sum,
  verdictBuckets,
  bucketsBefore,
  type VerdictBucket,
  type VerdictCounts,
} from './verdict-series.js';
import { wordsFor } from './verdict-words.js';
import { texts as parts } from '../texts/parts.js';
import { texts } from '../texts/quality.js';

const HEIGHT = 190;
/** Including the line for the numbers below. */
const WHOLE_HEIGHT = HEIGHT + 36;
const COLOURS: Readonly<Record<Verdict, string>> = {
  bad: '--bad',
  poor: '--poor-bar',
  good: '--good-bar',
  unknown: '--unknown-bar',
};

/** Good, poor and bad streams over time. */
export function VerdictSection({ frame }: { readonly frame: Timeframe }): ReactNode {
  const query = useStreams({ frame, bucketSeconds: frame.fine });
  return (
    <Section
      title={texts.streamsByVerdict}
      query={query}
      about={whenOf}
      tools={query.data && <Totals answer={query.data} />}
      height={WHOLE_HEIGHT}
    >
      {(answer) => <VerdictChart answer={answer} />}
    </Section>
  );
}

function whenOf(answer: StreamStatistics): ReactNode {
  const time = wholeTime(answer);
  return <span title={bucketInUtc(time)}>{formatBucket(time)}</span>;
}

function Totals({ answer }: { readonly answer: StreamStatistics }): ReactNode {
  const counts = answer.items.reduce<VerdictCounts>(sum, NO_STREAMS);
  const time = wholeTime(answer);
  return (
    <ul className={styles['totals']} aria-label={texts.totals}>
      {VERDICTS.map((verdict) => (
        <li key={verdict}>
          <VerdictBadge verdict={verdict} />
          <CountLink count={counts[verdict]} counted={texts.verdictStreams[verdict]} time={time} verdict={verdict} />
        </li>
      ))}
    </ul>
  );
}

function VerdictChart({ answer }: { readonly answer: StreamStatistics }): ReactNode {
  const behind = useCallsBehind();
  const buckets = useMemo(() => verdictBuckets(answer), [answer]);
  const before = useMemo(() => bucketsBefore(answer), [answer]);
  const series = useMemo(
    () => [
      ...stacked(buckets).map(([verdict, values]) => ({ colour: COLOURS[verdict], values })),
      ...(before === undefined ? [] : [{ colour: '--text', values: before.map(verdictStreamCount), isBefore: true }]),
    ],
    [buckets, before],
  );
  if (answer.items.every(({ streams }) => streams === 0)) {
    return <EmptyNote title={texts.noStreams}>{filled(texts.noStreamsAdvice, <code>npm run demo</code>)}</EmptyNote>;
  }
  return (
    <>
      {before !== undefined && <Legend lines={[{ label: texts.streamsBefore, colour: '--text', isDashed: true }]} />}
      <ZoomableChart
        label={texts.streamsOverTime}
        kind="bars"
        buckets={buckets}
        series={series}
        shown={shownCount}
        height={HEIGHT}
        marks={buckets.map(({ time, counts }, index) => bucketMark(time, markWords(counts, before?.[index]), behind))}
      />
      <Numbers
        label={texts.streamsByVerdict}
        heads={[texts.measuredOnce.streams, ...VERDICTS.map((verdict) => parts.verdicts[verdict])]}
      >
        {buckets
          .filter(({ counts }) => streamsIn(counts) > 0)
          .map(({ time, counts }) => ({
            time,
            cells: [
              ['all', <CountLink key="all" count={streamsIn(counts)} counted={texts.counted.streams} time={time} />],
              ...VERDICTS.map((verdict): [string, ReactNode] => [
                verdict,
                <CountLink
                  key={verdict}
                  count={counts[verdict]}
                  counted={texts.verdictStreams[verdict]}
                  time={time}
                  verdict={verdict}
                />,
              ]),
            ],
          }))}
      </Numbers>
    </>
  );
}

function verdictStreamCount({ counts }: VerdictBucket): number {
  return streamsIn(counts);
}

function markWords(counts: VerdictCounts, before: VerdictBucket | undefined): string {
  return before === undefined ? wordsFor(counts) : texts.withBefore(wordsFor(counts), wordsFor(before.counts));
}

function shownCount(value: number): string {
  return Number.isInteger(value) ? formatNumber(value) : '';
}
