import type { Alert, AlertDimension, AlertRule, AlertRuleContent } from '../api/answers.js';
import { ALERT_DIMENSIONS } from '../api/catalogue.js';
import { formatNumber, formatShare, formatSpan } from '../parts/format.js';
import { presentName } from '../search/conditions.js';
import { fieldWord } from '../search/fields.js';
import { texts } from '../texts/alerts.js';
import { texts as qualityTexts } from '../texts/quality.js';

export type Measure = AlertRuleContent['measure'];

/** How a measure is shown; a shown number is `factor` times the one of the API. */
export interface MeasureWords {
  readonly label: string;
  readonly comparison: 'above' | 'below';
  readonly unit: string;
  readonly factor: number;
  readonly least: number;
  readonly most: number;
}

const SHARE = { unit: '%', factor: 100, least: 0, most: 100 } as const;

const COUNT = { unit: '', factor: 1, least: 0, most: 1_000_000 } as const;

export const MEASURES: Readonly<Record<Measure, MeasureWords>> = {
  badCalls: { label: texts.measures.badCalls, comparison: 'above', ...SHARE },
  noAudio: { label: texts.measures.noAudio, comparison: 'above', ...SHARE },
  mos: { label: texts.measures.mos, comparison: 'below', unit: 'MOS', factor: 1, least: 1, most: 5 },
  serverErrors: { label: texts.measures.serverErrors, comparison: 'above', ...SHARE },
  answerSeizure: { label: texts.measures.answerSeizure, comparison: 'below', ...SHARE },
  shortCalls: { label: texts.measures.shortCalls, comparison: 'above', ...SHARE },
  silentFeed: {
    label: texts.measures.silentFeed,
    comparison: 'above',
    unit: texts.minutes,
    factor: 1 / 60,
    least: 5,
    most: 10_080,
  },
  rejectedRecords: { label: texts.measures.rejectedRecords, comparison: 'above', ...COUNT },
  failingRegistrations: { label: texts.measures.failingRegistrations, comparison: 'above', ...COUNT },
};

export const MEASURE_NAMES = Object.keys(MEASURES).filter((name): name is Measure => name in MEASURES);

/** Whether a measure is about feeds and not about calls: only front ends are then filtered. */
export function isOfFeeds(measure: Measure): boolean {
  return measure === 'silentFeed' || measureUnit(measure) === 'count';
}

/** The values of a rule that each may have an alert of their own. Each feed always has its own silence. */
export function measureDimensions(measure: Measure): readonly AlertDimension[] {
  if (measure === 'silentFeed') return [];
  if (measure === 'rejectedRecords') return ['frontEnd', 'reason'];
  return measure === 'failingRegistrations' ? ['frontEnd'] : ALERT_DIMENSIONS;
}

export function dimensionLabel(name: string): string {
  if (name === 'reason') return texts.reason;
  return Object.entries(qualityTexts.dimensions).find(([dimension]) => dimension === name)?.[1].one ?? name;
}

/** A value of the API in the unit that is shown, without noise of the multiplication. */
export function shownNumber(measure: Measure, value: number): number {
  return Number((value * MEASURES[measure].factor).toPrecision(6));
}

/** The opposite of {@link shownNumber}. */
export function storedNumber(measure: Measure, shown: number): number {
  return Number((shown / MEASURES[measure].factor).toPrecision(6));
}

/** `40 %`, `MOS 3.52`, `12 min 30 s`; a dash if nothing was measured. */
export function valueWords(unit: Alert['unit'], value: number | null): string {
  if (value === null) return '–';
  if (unit === 's') return formatSpan(value);
  if (unit === 'count') return formatNumber(value);
  return unit === 'mos' ? `MOS ${formatNumber(Number(value.toFixed(2)))}` : formatShare(value);
}

export function measureUnit(measure: Measure): Alert['unit'] {
  if (measure === 'silentFeed') return 's';
  if (MEASURES[measure].unit === '') return 'count';
  return measure === 'mos' ? 'mos' : 'ratio';
}

/** `Share of bad calls above 20 % in 15 minutes, for each site`. */
export function conditionWords(rule: Pick<AlertRule, 'measure' | 'limit' | 'by' | 'windowSeconds'>): string {
  const { measure, limit, by, windowSeconds } = rule;
  const { label, comparison } = MEASURES[measure];
  const condition = texts[comparison](label, valueWords(measureUnit(measure), limit));
  const inWindow = measure === 'silentFeed' ? condition : texts.within(condition, windowWords(windowSeconds));
  return by === null || by === undefined ? inWindow : texts.forEach(inWindow, dimensionLabel(by));
}

const MINUTE_S = 60;
const HOUR_S = 3_600;
const DAY_S = 86_400;

/** `in 15 minutes`, `in 24 hours`, `in 7 days`: the largest unit that divides it, but one day is 24 hours. */
export function windowWords(seconds: number): string {
  if (seconds % DAY_S === 0 && seconds > DAY_S) return texts.withinDays(seconds / DAY_S);
  return seconds % HOUR_S === 0 ? texts.withinHours(seconds / HOUR_S) : texts.withinMinutes(seconds / MINUTE_S);
}

/** What an alert or a past alert is about: `Site Bonn`; everything together without a scope. */
export function scopeWords(scope: Readonly<Record<string, string>>): string {
  const parts = Object.entries(scope).map(([written, value]) => {
    const name = presentName(written);
    return texts.scopeOf(dimensionLabel(name), fieldWord(name, value));
  });
  return parts.length === 0 ? texts.allCalls : parts.join(', ');
}
