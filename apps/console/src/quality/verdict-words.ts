import { VERDICTS } from '../api/calls.js';
import { shownNumber } from '../parts/format.js';
import type { VerdictCounts } from './verdict-series.js';

/** `3 bad, 40 good`. */
export function wordsFor(counts: VerdictCounts): string {
  const told = VERDICTS.filter((verdict) => counts[verdict] > 0);
  const words = told.map((verdict) => `${shownNumber(counts[verdict])} ${verdict}`);
  return words.length === 0 ? 'no streams' : words.join(', ');
}
