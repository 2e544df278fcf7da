import type { Alert } from '../api/answers.js';
import { formatNumber, withUnit } from '../parts/format.js';
import { texts } from '../texts/alerts.js';
import { MEASURES, scopeWords, valueWords, windowWords } from './measures.js';

/** An alert in one sentence: `Share of bad calls (Site Bonn): 40 % in 25 calls; the limit is above 20 %.` */
export function summaryWords({ condition, scope, value, limit, unit, calls, summary }: Alert): string {
  // Alerts of earlier versions have only the sentence of the server.
  if (condition === null) return summary;
  const { measure, windowSeconds, shortSeconds } = condition;
  const { label, comparison } = MEASURES[measure];
  const about = measure === 'shortCalls' ? texts.shorterThan(label, withUnit(formatNumber(shortSeconds), 's')) : label;
  const subject = Object.keys(scope).length === 0 ? about : `${about} (${scopeWords(scope)})`;
  const written = value === null ? texts.notKnown : valueWords(unit, value);
  return texts.summary(
    subject,
    written,
    countedWords(measure, calls, windowSeconds),
    texts.limits[comparison](valueWords(unit, limit)),
  );
}

function countedWords(measure: keyof typeof MEASURES, calls: number, windowSeconds: number): string {
  if (measure === 'silentFeed') return texts.amongRecords(calls);
  return MEASURES[measure].unit === '' ? windowWords(windowSeconds) : texts.amongCalls(calls);
}
