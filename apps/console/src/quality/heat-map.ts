import type { StreamStatistics, Verdict } from '../api/answers.js';
import { shareInterval } from '../parts/share-intervals.js';
import { rankValues, type RankedValue } from './ranking.js';
import { bucketIndex, answerBuckets, type TimeBucket } from './timeframe.js';
import { judgedCalls, NO_STREAMS, streamsIn, sum, type VerdictCounts } from './verdict-series.js';

/** The heat of a cell: from few bad streams to mostly bad ones, the lower the fewer there are in all; 0 without bad streams. */
export type Heat = 0 | 1 | 2 | 3 | 4;

export interface HeatCell {
  readonly time: TimeBucket;
  readonly counts: VerdictCounts;
  /** The worst verdict; undefined without streams. */
  readonly verdict: Verdict | undefined;
  readonly heat: Heat;
}

export interface HeatRow extends RankedValue {
  readonly cells: readonly HeatCell[];
}

export interface HeatMap {
  readonly columns: readonly TimeBucket[];
  /** Those with the most bad streams first. */
  readonly rows: readonly HeatRow[];
  /** Number of values without a row, as far as known. */
  readonly leftOut: number;
}

export function heatMap(answer: StreamStatistics, most: number): HeatMap {
  const columns = answerBuckets(answer);
  const all = rankValues(answer);
  const rows = all.slice(0, most).map((row): HeatRow => {
    const counts = columns.map(() => NO_STREAMS);
    for (const item of answer.items) {
      const index = bucketIndex(answer, item.at);
      const before = item.value === row.value ? counts[index] : undefined;
      if (before !== undefined) counts[index] = sum(before, item);
    }
    return { ...row, cells: columns.map((time, index) => heatCell(time, counts[index] ?? NO_STREAMS)) };
  });
  return { columns, rows, leftOut: answer.valuesLeftOut + all.length - rows.length };
}

function heatCell(time: TimeBucket, counts: VerdictCounts): HeatCell {
  return { time, counts, verdict: worstVerdict(counts), heat: heatOf(counts) };
}

function worstVerdict(counts: VerdictCounts): Verdict | undefined {
  if (streamsIn(counts) === 0) return undefined;
  if (counts.bad > 0) return 'bad';
  if (counts.poor > 0) return 'poor';
  return counts.good > 0 ? 'good' : 'unknown';
}

/** By the lower limit of the share, which a few streams have far below it: a single bad one is less hot than half of forty. */
function heatOf(counts: VerdictCounts): Heat {
  if (counts.bad === 0) return 0;
  const { low } = shareInterval(judgedCalls(counts));
  if (low <= 0.05) return 1;
  if (low <= 0.15) return 2;
  return low <= 0.4 ? 3 : 4;
}
