import type { CallState, MetricStatistics, StreamStatistics } from '../../api/answers.js';
import type { Query } from '../../api/query-text.js';
import type { ValueRange } from '../../charts/value-range.js';
import { formatNumber, formatShare } from '../../parts/format.js';
import type { Counted } from '../../parts/share-intervals.js';
import { texts } from '../../texts/comparison.js';
import { texts as qualityTexts } from '../../texts/quality.js';
import { answeredBuckets, answerSeizure, EITHER } from '../answered-series.js';
import { DRAWN_METRICS, metricSummary, type DrawnMetric } from '../drawn-metrics.js';
import { metricBuckets } from '../metric-series.js';
import type { TimeBucket } from '../timeframe.js';
import { badShare, judgedCalls, NO_STREAMS, sum, verdictBuckets } from '../verdict-series.js';
import type { Difference } from './differences.js';

/** What a chart shows of one line. */
export interface LineData {
  /** One value for each bucket; null if it is not known. */
  readonly buckets: readonly { readonly time: TimeBucket; readonly value: number | null }[];
  /** The whole time in words; empty if nothing is known. */
  readonly total: string;
  /** What is bad of it, counted in one or several ways. */
  readonly counts: readonly Counted[];
}

/** A chart with one value for each line. `A`: the answer of the API for one line. */
export interface ComparedChart<A> {
  readonly title: string;
  readonly path: string;
  readonly parameters: Query;
  /** Of the calls, in place of those of the view. */
  readonly states?: readonly CallState[];
  readonly shown: (value: number) => string;
  readonly range: ValueRange;
  readonly read: (answer: A) => LineData;
  readonly differenceWords: (difference: Difference, answer: A) => string;
}

export const BAD_STREAMS: ComparedChart<StreamStatistics> = {
  title: texts.badStreams,
  path: '/api/statistics/streams',
  parameters: { sort: 'streams' },
  shown: formatShare,
  range: 'fromZero',
  read: (answer) => {
    const buckets = verdictBuckets(answer);
    const total = buckets.reduce((all, { counts }) => sum(all, counts), NO_STREAMS);
    const judged = total.good + total.poor + total.bad;
    return {
      buckets: buckets.map(({ time, counts }) => {
        return { time, value: judgedCalls(counts).all === 0 ? null : badShare(counts) };
      }),
      total: judged === 0 ? '' : texts.badOf(formatShare(badShare(total)), formatNumber(judged)),
      counts: [judgedCalls(total)],
    };
  },
  differenceWords: ({ is, share, others }) => texts[is].bad(formatShare(share), formatShare(others)),
};

export const ANSWERED: ComparedChart<StreamStatistics> = {
  title: qualityTexts.asr,
  path: '/api/statistics/streams',
  parameters: { sort: 'streams' },
  states: EITHER,
  shown: formatShare,
  range: 'fromZero',
  read: (answer) => {
    const buckets = answeredBuckets(answer);
    const some = buckets.reduce((count, { failed }) => count + failed, 0);
    const all = buckets.reduce((count, { answered }) => count + answered, some);
    return {
      buckets: buckets.map((bucket) => ({ time: bucket.time, value: answerSeizure(bucket) })),
      total: all === 0 ? '' : qualityTexts.answeredOf(formatShare((all - some) / all), all),
      counts: [{ all, some }],
    };
  },
  differenceWords: ({ is, share, others }) => texts[is].failed(formatShare(share), formatShare(others)),
};

export const METRICS: readonly ComparedChart<MetricStatistics>[] = DRAWN_METRICS.map(metricChart);

/** MOS on average, the others as their 95th percentile. */
function metricChart(drawn: DrawnMetric): ComparedChart<MetricStatistics> {
  const { metric, title, shown, range } = drawn;
  const isMos = metric === 'mos';
  return {
    title: texts.lineOf(title, isMos ? qualityTexts.lines.average : qualityTexts.lines.p95),
    path: '/api/statistics/metrics',
    parameters: { metric },
    shown,
    range,
    read: (answer) => ({
      buckets: metricBuckets(answer).map(({ time, item }) => {
        return { time, value: (isMos ? item?.average : item?.p95) ?? null };
      }),
      total: metricSummary(answer, drawn),
      counts: badCounts(answer, drawn),
    }),
    differenceWords: ({ is, at, share, others }, { bounds }) =>
      texts[is][isMos ? 'atMost' : 'above'](shown(bounds[at] ?? 0), formatShare(share), formatShare(others)),
  };
}

/** For each bound how much is worse than it: above, or of a MOS not above. As calls: both streams of one have the same causes. */
function badCounts({ bounds, items }: MetricStatistics, { metric, what }: DrawnMetric): readonly Counted[] {
  const each = what === 'streams' ? 2 : 1;
  const all = items.reduce((count, { streams }) => count + streams, 0);
  return bounds.map((_, at) => {
    const below = items.reduce((count, { distribution }) => count + countUpTo(distribution, at), 0);
    return { all: all / each, some: (metric === 'mos' ? below : all - below) / each };
  });
}

function countUpTo(distribution: readonly number[], at: number): number {
  return distribution.slice(0, at + 1).reduce((count, each) => count + each, 0);
}
