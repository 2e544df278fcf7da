import { texts } from '../texts/search.js';
import { searchConditionWords } from './conditions.js';
import { filterConditions, conditionCriteria, type Filter } from './filter.js';

/** A wider search than one that found nothing. */
export interface Alternative {
  readonly words: string;
  readonly filter: Filter;
}

const MOST = 6;

/** Searches that may find what this one did not: over a longer time, and without one of its filters. */
export function alternativesTo(filter: Filter): readonly Alternative[] {
  const { span, q, states, verdicts } = filter;
  const conditions = filterConditions(filter);
  const wider: Alternative[] = [
    ...(span === 'all' ? [] : [{ words: texts.allTime, filter: { ...filter, ...ALL } }]),
    ...(q === '' ? [] : [{ words: texts.withoutText(q), filter: { ...filter, q: '' } }]),
    ...(verdicts.length === 0 ? [] : [{ words: texts.anyVerdict, filter: { ...filter, verdicts: [] } }]),
    ...(states.length === 0 ? [] : [{ words: texts.anyState, filter: { ...filter, states: [] } }]),
    ...conditions.map((condition) => ({
      words: texts.withoutFilter(searchConditionWords(condition)),
      filter: { ...filter, ...conditionCriteria(conditions.filter((each) => each !== condition)) },
    })),
  ];
  return wider.slice(0, MOST).map((each) => ({ ...each, filter: { ...each.filter, cursor: '' } }));
}

const ALL = { span: 'all', from: '', to: '' } as const;
