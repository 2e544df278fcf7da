import { searchConditionWords } from './conditions.js';
import { NO_CRITERIA } from './filter.js';
import { chosenConditions, withoutCondition } from './chosen-conditions.js';

describe('chosenConditions', () => {
  const criteria = {
    q: 'anna',
    states: ['ended', 'failed'],
    verdicts: ['bad'],
    texts: { trunk: 't1' },
    more: [
      { name: 'trunk', value: 't2' },
      { name: 'maxMos', value: '3.5' },
    ],
  };

  it('names each', () => {
    expect(chosenConditions(criteria).map(searchConditionWords)).toEqual([
      'Words: anna',
      'State: ended',
      'State: failed',
      'Verdict: bad',
      'Trunk: t1',
      'Trunk: t2',
      'MOS at most 3.5',
    ]);
  });

  it('can be removed one by one', () => {
    const left = chosenConditions(criteria).map((removed) => chosenConditions(withoutCondition(criteria, removed)));
    for (const [index, conditions] of left.entries())
      expect(conditions).toEqual(chosenConditions(criteria).filter((_, at) => at !== index));
    expect(chosenConditions(criteria).reduce(withoutCondition, criteria)).toEqual(NO_CRITERIA);
  });
});
