import type { AlertRuleContent } from '../rules/alert-rule.js';
import type { AlertScope } from '../rules/alert-scope.js';
import { ALERT_MEASURES, isCount, type MeasureRow } from '../deciding/measures.js';
import type { Measurement } from '../deciding/next-state.js';

const UNITS: Readonly<Record<MeasureRow['unit'], (value: number) => string>> = {
  ratio: (value) => `${rounded(value * 100, 1)} %`,
  mos: (value) => rounded(value, 2),
  s: (value) => `${Math.round(value)} s`,
  count: (value) => String(value),
};

/** One sentence for a person. `scope`: as it is shown. */
export function alertSummary(
  { measure, limit, shortSeconds, windowSeconds }: AlertRuleContent,
  scope: AlertScope,
  { value, calls }: Measurement,
): string {
  const { text, unit, comparison } = ALERT_MEASURES[measure];
  const written = value === null ? 'not known' : UNITS[unit](value);
  const where = Object.entries(scope).map(([by, name]) => ` (${by} ${name})`);
  const counted = measure === 'silentFeed' ? `${calls} records` : `${calls} calls`;
  const minutes = windowSeconds / 60;
  const within = isCount(measure) ? `${minutes} ${minutes === 1 ? 'minute' : 'minutes'}` : counted;
  const short = measure === 'shortCalls' ? ` of less than ${shortSeconds} s` : '';
  return `${text}${short}${where.join('')} is ${written} in ${within}; the limit is ${comparison} ${UNITS[unit](limit)}.`;
}

function rounded(value: number, digits: number): string {
  return String(Number(value.toFixed(digits)));
}
