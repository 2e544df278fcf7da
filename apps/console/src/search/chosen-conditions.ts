import type { Condition } from './conditions.js';
import { filterConditions, conditionCriteria, type Criteria } from './filter.js';

/** Words, states, verdicts and all other conditions of a view, which has no fields of their own for them. */
export function chosenConditions(criteria: Criteria): readonly Condition[] {
  const { q, states, verdicts } = criteria;
  return [
    ...(q === '' ? [] : [{ name: 'q', value: q }]),
    ...states.map((value) => ({ name: 'state', value })),
    ...verdicts.map((value) => ({ name: 'verdict', value })),
    ...filterConditions(criteria),
  ];
}

export function withoutCondition(criteria: Criteria, { name, value }: Condition): Criteria {
  switch (name) {
    case 'q':
      return { ...criteria, q: '' };
    case 'state':
      return { ...criteria, states: criteria.states.filter((state) => state !== value) };
    case 'verdict':
      return { ...criteria, verdicts: criteria.verdicts.filter((verdict) => verdict !== value) };
    default: {
      const left = filterConditions(criteria).filter((each) => each.name !== name || each.value !== value);
      return { ...criteria, ...conditionCriteria(left) };
    }
  }
}
