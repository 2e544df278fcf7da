import { chooseCulprit } from '@ringdown/demo/calls';
import { culpritDay, isFirst } from './culprit-days.js';

// Constants of the ranking were chosen by other seeds, below 501 (bench/suspects/simulate.mjs).
const WITH_CULPRIT = Array.from({ length: 20 }, (_, n) => 501 + n);
const WITHOUT = Array.from({ length: 20 }, (_, n) => 521 + n);

describe('the suspects of a day of the demo', () => {
  it('begin with the one thing that is wrong, in at least 19 of 20 companies', () => {
    const days = WITH_CULPRIT.map((seed) => {
      const culprit = chooseCulprit('random', seed);
      if (culprit === undefined) throw new Error('no culprit');
      const day = culpritDay(seed, culprit);
      return {
        seed,
        culprit,
        found: isFirst(day, culprit),
        suspects: day.suspects.map((each) => `${each.dimension} ${each.value}`),
      };
    });
    expect(new Set(days.map(({ culprit }) => culprit.kind)).size).toBeGreaterThan(4);
    expect(days.filter(({ found }) => !found).slice(1)).toEqual([]);
  });

  it('are nobody in 20 companies where nothing is wrong', () => {
    const days = WITHOUT.map((seed) => culpritDay(seed, undefined));
    expect(Math.min(...days.map(({ calls }) => calls))).toBeGreaterThan(1_000);
    expect(days.flatMap(({ suspects }) => suspects.map(({ dimension, value }) => `${dimension} ${value}`))).toEqual([]);
  });
});
