import type { StreamStatistics } from '../api/answers.js';
import { badShare, NO_STREAMS, sum, type VerdictCounts } from './verdict-series.js';

export interface RankedValue {
  /** Null if it is unknown. */
  readonly value: string | null;
  readonly counts: VerdictCounts;
}

/** Every value with its streams of the whole time, those with the most bad ones first. */
export function rankValues({ items }: Pick<StreamStatistics, 'items'>): readonly RankedValue[] {
  const byValue = new Map<string | null, VerdictCounts>();
  for (const item of items) byValue.set(item.value, sum(byValue.get(item.value) ?? NO_STREAMS, item));
  return [...byValue]
    .map(([value, counts]) => ({ value, counts }))
    .sort(
      (one, other) =>
        other.counts.bad - one.counts.bad ||
        badShare(other.counts) - badShare(one.counts) ||
        (one.value ?? '').localeCompare(other.value ?? ''),
    );
}

/** The values with bad streams. */
export function topBad(answer: Pick<StreamStatistics, 'items'>, most: number): readonly RankedValue[] {
  return rankValues(answer)
    .filter(({ counts }) => counts.bad > 0)
    .slice(0, most);
}
