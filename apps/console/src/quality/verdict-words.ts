import { VERDICTS } from '../api/calls.js';
import { formatNumber } from '../parts/format.js';
import type { VerdictCounts } from './verdict-series.js';
import { texts } from '../texts/quality.js';

/** `3 bad, 40 good`. */
export function wordsFor(counts: VerdictCounts): string {
  const listed = VERDICTS.filter((verdict) => counts[verdict] > 0);
  const words = listed.map((verdict) => texts.verdictCounts[verdict](formatNumber(counts[verdict])));
  return words.length === 0 ? texts.noneCounted : words.join(', ');
}
