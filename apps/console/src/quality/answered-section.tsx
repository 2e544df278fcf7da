import { useMemo, type ReactNode } from 'react';
import type { CallState, StreamStatistics } from '../api/answers.js';
import { Legend } from '../charts/legend.js';
import { formatShare } from '../parts/format.js';
import { EmptyNote } from '../parts/notes.js';
import { Section } from '../parts/section.js';
import { ANSWERED, answeredBuckets, answerSeizure, EITHER, FAILED, type AnsweredBucket } from './answered-series.js';
import { bucketMark } from './calls-behind.js';
import { useCallsBehind, useStates } from './narrowing.js';
import { CountLink, Numbers } from './numbers.js';
import type { Timeframe } from './timeframe.js';
import { ZoomableChart } from './zoomable-chart.js';
import { useStreams } from './use-statistics.js';
import { texts } from '../texts/quality.js';

const HEIGHT = 130;
const WHOLE_HEIGHT = HEIGHT + 36;

/** The answer-seizure ratio over time: the share of answered calls among answered and failed ones. */
export function AnsweredSection({ frame }: { readonly frame: Timeframe }): ReactNode {
  const states = useStates(EITHER);
  // With a filter that leaves neither, there is no ratio.
  return states.length > 0 && <AnsweredCalls frame={frame} states={states} />;
}

interface AnsweredCallsProps {
  readonly frame: Timeframe;
  readonly states: readonly CallState[];
}

function AnsweredCalls({ frame, states }: AnsweredCallsProps): ReactNode {
  const query = useStreams({ frame, bucketSeconds: frame.fine, states });
  return (
    <Section title={texts.asr} query={query} about={wholeOf} height={WHOLE_HEIGHT}>
      {(answer) => <Answered answer={answer} />}
    </Section>
  );
}

function wholeOf(answer: StreamStatistics): ReactNode {
  const buckets = answeredBuckets(answer);
  const total = { answered: sumOf(buckets, 'answered'), failed: sumOf(buckets, 'failed') };
  return total.answered + total.failed === 0 ? '' : wordsFor(total);
}

function sumOf(buckets: readonly AnsweredBucket[], part: 'answered' | 'failed'): number {
  return buckets.reduce((total, bucket) => total + bucket[part], 0);
}

function Answered({ answer }: { readonly answer: StreamStatistics }): ReactNode {
  const behind = useCallsBehind();
  const buckets = useMemo(() => answeredBuckets(answer), [answer]);
  const before = useMemo(() => answer.before && answeredBuckets({ ...answer, ...answer.before }), [answer]);
  const series = useMemo(
    () => [
      { colour: '--accent', values: buckets.map(answerSeizure) },
      ...(before === undefined ? [] : [{ colour: '--muted', values: before.map(answerSeizure), isBefore: true }]),
    ],
    [buckets, before],
  );
  if (buckets.every((bucket) => answerSeizure(bucket) === null))
    return <EmptyNote title={texts.noneAnsweredOrFailed} />;
  const marks = buckets.map((bucket, index) => {
    const earlier = before?.[index];
    return bucketMark(
      bucket.time,
      earlier === undefined ? wordsFor(bucket) : texts.withBefore(wordsFor(bucket), wordsFor(earlier)),
      (mark) => behind({ ...mark, states: EITHER }),
    );
  });
  return (
    <>
      {before !== undefined && (
        <Legend
          lines={[
            { label: texts.thisPeriod, colour: '--accent' },
            { label: texts.periodBefore, colour: '--muted', isDashed: true },
          ]}
        />
      )}
      <ZoomableChart
        label={texts.overTime(texts.asr)}
        kind="lines"
        buckets={buckets}
        series={series}
        shown={formatShare}
        height={HEIGHT}
        marks={marks}
      />
      <Numbers label={texts.asr} heads={[texts.answered, texts.failed, texts.ratio]}>
        {buckets.flatMap((bucket) => {
          const ratio = answerSeizure(bucket);
          if (ratio === null) return [];
          return {
            time: bucket.time,
            cells: [
              [
                'answered',
                <CountLink
                  key="a"
                  count={bucket.answered}
                  counted={texts.answeredCalls}
                  time={bucket.time}
                  states={ANSWERED}
                />,
              ],
              [
                'failed',
                <CountLink
                  key="f"
                  count={bucket.failed}
                  counted={texts.failedCalls}
                  time={bucket.time}
                  states={FAILED}
                />,
              ],
              ['ratio', formatShare(ratio)],
            ],
          };
        })}
      </Numbers>
    </>
  );
}

function wordsFor(bucket: Pick<AnsweredBucket, 'answered' | 'failed'>): string {
  const ratio = answerSeizure(bucket);
  if (ratio === null) return texts.noCallsCounted;
  return texts.answeredOf(formatShare(ratio), bucket.answered + bucket.failed);
}
